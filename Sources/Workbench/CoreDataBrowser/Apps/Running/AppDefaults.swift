import CoreData
import Synchronization

/// Settings of an application that persist after the program ends, such as `Selected Tab`: JSON values by key in a
/// file.
package final class AppDefaults: Sendable {
    private static let greatestSize = 1 << 20

    private let file: URL
    /// Guards the values; nil until a first access reads them from the file.
    private let values: Mutex<[String: JSONValue]?> = Mutex(nil)

    /// The settings of the application with a title, in `apps` of a state folder; nil for
    /// `$XDG_STATE_HOME/opencoredata`.
    package init(title: String, in folder: URL?) {
        let letters = title.unicodeScalars.map { scalar in
            CharacterSet.alphanumerics.contains(scalar) || " -_".unicodeScalars.contains(scalar)
                ? String(scalar) : "%" + String(scalar.value, radix: 16)
        }
        file = (folder ?? Self.standardFolder).appendingPathComponent("apps")
            .appendingPathComponent(String(letters.joined().prefix(100)) + ".json")
    }

    private static var standardFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/state")
        return base.appendingPathComponent("opencoredata")
    }

    /// All settings.
    package var all: JSONValue { .sorted(values.withLock { read(&$0) }) }

    /// The names of the settings that have a value.
    package var names: [String] { values.withLock { read(&$0).keys.sorted() } }

    /// A setting; nil for a missing one.
    package subscript(key: String) -> JSONValue? { values.withLock { read(&$0)[key] } }

    /// An integer; 0 for a missing value, and for one that is not an integer.
    func integer(_ key: String) -> Int {
        switch self[key] {
        case .integer(let number): Int(clamping: number)
        case .number(let text): Int(text) ?? 0
        default: 0
        }
    }

    /// Writes a setting to the file before it returns; null removes the setting.
    ///
    /// - Throws: `BrowserFailure` 400 for a name that is empty or too long, 413 if the settings would be too large, 422
    ///   for a null within a list or object; or why the file cannot be written.
    package func set(_ key: String, _ value: JSONValue) throws {
        guard !key.isEmpty, key.utf8.count <= 200 else {
            throw BrowserFailure.badRequest("a setting's name has 1 to 200 bytes")
        }
        if !value.isNull, PropertyListType.holdsNull(value) {
            throw BrowserFailure(422, code: "badValue", reason: "a setting cannot have null in a list or object")
        }
        try values.withLock { known in
            var next = read(&known)
            next[key] = value.isNull ? nil : value
            let data = Data(JSONWriter.lines(.sorted(next)).utf8)
            guard data.count <= Self.greatestSize else {
                throw BrowserFailure(
                    413, code: "tooLarge", reason: "the settings would have more than \(Self.greatestSize) bytes")
            }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try data.write(to: file, options: .atomic)
            chmod(file.path, 0o600)
            known = next
        }
    }

    private func read(_ known: inout [String: JSONValue]?) -> [String: JSONValue] {
        if let known { return known }
        var found: [String: JSONValue] = [:]
        if let data = try? Data(contentsOf: file), data.count <= Self.greatestSize,
            let values = try? JSONReader.values(in: Array(data), of: "settings"),
            case .members(let members)? = values.first
        {
            for member in members { found[member.key] = member.value }
        }
        known = found
        return found
    }
}

extension PropertyListType {
    /// Whether a value is null or contains null, which property lists cannot represent.
    static func holdsNull(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .array(let elements): elements.contains(where: holdsNull)
        case .members(let members): members.contains { holdsNull($0.value) }
        default: false
        }
    }
}
