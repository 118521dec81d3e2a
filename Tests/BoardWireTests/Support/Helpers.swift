import BoardModel
import BoardWire
import Foundation
import Testing

let mail = UniqueID("6f9619ff-8b86-4011-b42d-00c04fc964ff")!
let maps = UniqueID("7f9619ff-8b86-4011-b42d-00c04fc964ff")!
let mia = UniqueID("0f9619ff-8b86-4011-b42d-00c04fc964ff")!
let home = Slug("home")!

func decode(_ text: String, limits: WireLimits = WireLimits()) throws(MessageError)
    -> ClientMessage
{
    var generator = SeededGenerator(seed: 1)
    return try ClientMessage.decode(Array(text.utf8).span, using: &generator, limits: limits)
}

/// The error that a message is refused with.
func refusal(of text: String) -> MessageError? {
    do throws(MessageError) {
        _ = try decode(text)
        return nil
    } catch {
        return error
    }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// What Foundation, the independent reader, makes of a text; members sorted by key.
func foundation(_ bytes: [UInt8]) throws -> JSONValue {
    try value(JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
}

private func value(_ any: Any) throws -> JSONValue {
    switch any {
    case is NSNull: return .null
    case let text as String: return .string(text)
    case let items as [Any]: return .array(try items.map(value))
    case let members as [String: Any]:
        let list = try members.map { JSONMember(key: $0.key, value: try value($0.value)) }
        return sorted(.object(list))
    case let number as NSNumber:
        // Foundation's booleans are numbers too; only its writer still tells which is which.
        let spelled = try JSONSerialization.data(
            withJSONObject: number, options: .fragmentsAllowed)
        if spelled.elementsEqual("true".utf8) { return .bool(true) }
        if spelled.elementsEqual("false".utf8) { return .bool(false) }
        return .number(try #require(JSONNumber(number.doubleValue)))
    default: throw JSONError("not a JSON object", at: 0)
    }
}

/// The same value with the members of every object sorted by key.
func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .number, .string, .invalid: value
    case .array(let items): .array(items.map(sorted))
    case .object(let members):
        .object(
            members.map { JSONMember(key: $0.key, value: sorted($0.value)) }
                .sorted { $0.key < $1.key })
    }
}

/// Where this codec and Foundation read a text differently; `nil` when they agree.
func disagreement(over bytes: [UInt8]) throws -> String? {
    difference(sorted(try JSONParser().parse(bytes)), try foundation(bytes), "")
}

private func difference(_ ours: JSONValue, _ theirs: JSONValue, _ path: String) -> String? {
    switch (ours, theirs) {
    case (.array(let ours), .array(let theirs)) where ours.count == theirs.count:
        for index in ours.indices {
            if let found = difference(ours[index], theirs[index], "\(path)[\(index)]") {
                return found
            }
        }
        return nil
    case (.object(let ours), .object(let theirs)) where ours.map(\.key) == theirs.map(\.key):
        for (our, their) in zip(ours, theirs) {
            if let found = difference(our.value, their.value, "\(path).\(our.key)") {
                return found
            }
        }
        return nil
    case (.number(let our), .number(let their)):
        // Foundation's is off by a few units in the last place here; exactness is tested
        // against the standard library and JSONDecoder.
        let isNear = (our.double - their.double).magnitude <= our.double.ulp * 4
        return isNear ? nil : "\(path): \(our.double) or \(their.double)"
    default: return ours == theirs ? nil : "\(path): \(ours) or \(theirs)"
    }
}

let seeds: [UInt64] = Array(1...20)
