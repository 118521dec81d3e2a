internal import Foundation

/// Reads the configuration from a JSON5 file and from the environment.
package enum ConfigurationFile {
    /// Applies the file at `path`. Answers every problem at once; a key that is unknown is one.
    package static func apply(
        path: String, to configuration: inout ServerConfiguration
    ) -> [ConfigurationProblem] {
        guard let data = FileManager.default.contents(atPath: path) else {
            return [ConfigurationProblem(path: path, message: "the file cannot be read")]
        }
        return apply(text: data, to: &configuration)
    }

    /// Applies the text of a file.
    package static func apply(
        text: some Sequence<UInt8>, to configuration: inout ServerConfiguration
    ) -> [ConfigurationProblem] {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let root: Node
        do {
            root = try decoder.decode(Node.self, from: Data(text))
        } catch {
            return [ConfigurationProblem(path: "(file)", message: "is not well-formed JSON5")]
        }
        guard case .object(let members) = root else {
            return [ConfigurationProblem(path: "(file)", message: "must be an object")]
        }
        var problems: [ConfigurationProblem] = []
        for (path, value) in leaves(of: members, below: "").sorted(by: { $0.path < $1.path }) {
            guard let setting = Setting.all.first(where: { $0.path == path }) else {
                problems.append(ConfigurationProblem(path: path, message: "is not a known key"))
                continue
            }
            apply(value, to: setting, &configuration, &problems)
        }
        return problems
    }

    /// Applies `HOMEBOARD_…` variables. An empty one counts as unset; an unknown one is a problem,
    /// because a mistyped name would otherwise silently leave a default in force.
    package static func apply(
        environment: [String: String], to configuration: inout ServerConfiguration
    ) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        for (name, text) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("HOMEBOARD_") && !text.isEmpty {
            guard let setting = Setting.all.first(where: { $0.environmentName == name }) else {
                problems.append(
                    ConfigurationProblem(path: name, message: "is not a known variable"))
                continue
            }
            apply(.text(text), to: setting, &configuration, &problems)
        }
        return problems
    }

    /// Applies one flag's value to the key it stands for.
    package static func apply(
        flag path: String, value: String, to configuration: inout ServerConfiguration
    ) -> [ConfigurationProblem] {
        guard let setting = Setting.all.first(where: { $0.path == path }) else {
            preconditionFailure("\(path) is no key")
        }
        var problems: [ConfigurationProblem] = []
        apply(.text(value), to: setting, &configuration, &problems)
        return problems
    }

    private static func apply(
        _ value: SettingValue, to setting: Setting, _ configuration: inout ServerConfiguration,
        _ problems: inout [ConfigurationProblem]
    ) {
        do throws(ConfigurationProblem) {
            try setting.apply(value, &configuration)
        } catch {
            problems.append(error)
        }
    }

    /// Every value in the file with the path of its key. A section that isn't an object, and an
    /// object where a value belongs, come out as the path they stand at.
    private static func leaves(
        of members: [String: Node], below prefix: String
    ) -> [(path: String, value: SettingValue)] {
        members.flatMap { key, node -> [(path: String, value: SettingValue)] in
            switch node {
            case .object(let inner): leaves(of: inner, below: prefix + key + ".")
            case .value(let value): [(prefix + key, value)]
            }
        }
    }
}

/// Any JSON5 value, in the shapes that settings have.
private enum Node: Decodable {
    case object([String: Node])
    case value(SettingValue)

    init(from decoder: any Decoder) throws {
        if let members = try? [String: Node](from: decoder) {
            self = .object(members)
            return
        }
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .value(.integer(number))
        } else if let text = try? container.decode(String.self) {
            self = .value(.text(text))
        } else if let list = try? container.decode([String].self) {
            self = .value(.list(list))
        } else {
            self = .value(.other)
        }
    }
}
