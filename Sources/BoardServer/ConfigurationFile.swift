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
        let object: Any
        do {
            object = try JSONSerialization.jsonObject(
                with: Data(text), options: [.json5Allowed])
        } catch {
            return [ConfigurationProblem(path: "(file)", message: "is not well-formed JSON5")]
        }
        guard let root = object as? [String: Any] else {
            return [ConfigurationProblem(path: "(file)", message: "must be an object")]
        }
        var problems: [ConfigurationProblem] = []
        for (path, value) in leaves(of: root, below: "").sorted(by: { $0.path < $1.path }) {
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
                problems.append(ConfigurationProblem(path: name, message: "is not a known variable"))
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
        of object: [String: Any], below prefix: String
    ) -> [(path: String, value: SettingValue)] {
        object.flatMap { key, value -> [(path: String, value: SettingValue)] in
            let path = prefix + key
            if let inner = value as? [String: Any] { return leaves(of: inner, below: path + ".") }
            return [(path, settingValue(value))]
        }
    }

    private static func settingValue(_ value: Any) -> SettingValue {
        if let text = value as? String { return .text(text) }
        if let list = value as? [String] { return .list(list) }
        if let number = value as? NSNumber, !(value is Bool), let whole = Int(exactly: number) {
            return .integer(whole)
        }
        return .other
    }
}
