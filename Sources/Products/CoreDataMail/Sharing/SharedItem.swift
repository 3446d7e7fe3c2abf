import CoreDataGraph
import UniformTypeIdentifiers

/// What is shared, by kind.
public enum SharedItem: Sendable, Hashable {
    /// A text.
    case text(String)
    /// A link.
    case url(URL)
    /// A picture, or another file.
    case file(SharedFile)
    /// An object of a store, as it was when it was handed over.
    case object(SharedObject)

    /// The largest file that is read to be shared, in bytes.
    static let largestFile: Int64 = 100_000_000

    /// An item of any kind that a sheet takes; nil for another.
    ///
    /// - Parameter value: A text, a URL (of a file: its content), data (recognized by its first bytes), a ``SharedFile``, a
    ///   ``SharedItem``, or a managed object, whose context's queue must be the present one.
    init?(_ value: Any) {
        switch value {
        case let item as SharedItem: self = item
        case let file as SharedFile: self = .file(file)
        case let object as NSManagedObject: self = .object(SharedObject(object))
        case let text as String: self = .text(text)
        case let url as URL where url.isFileURL:
            guard let file = Self.file(url) else { return nil }
            self = .file(file)
        case let url as URL: self = .url(url)
        case let data as Data:
            let type = UTType(recognizing: data) ?? .data
            let name = type.conforms(to: .image) ? "image" : "data"
            self = .file(
                SharedFile(
                    name: type.preferredFilenameExtension.map { "\(name).\($0)" } ?? name, type: type, data: data))
        default: return nil
        }
    }

    private static func file(_ url: URL) -> SharedFile? {
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size].flatMap {
            ($0 as? NSNumber)?.int64Value
        }
        guard let size, size <= largestFile, let data = try? Data(contentsOf: url, options: .mappedIfSafe) else {
            return nil
        }
        let type = UTType(recognizing: data, filenameExtension: url.pathExtension) ?? .data
        return SharedFile(name: url.lastPathComponent, type: type, data: data)
    }
}

/// An object as it was when it was shared.
public struct SharedObject: Sendable, Hashable {
    /// The name of the entity.
    public let entity: String
    /// What people call it: its name or title, else the entity's.
    public let title: String
    /// Its attributes as JSON, by their names in order; numbers with a fraction of their own, dates in ISO 8601, data in base64.
    public let json: Data
    /// A line for each attribute that is a text, a number or a date.
    public let text: String
    /// Its card, if it looks like a person.
    public let card: PersonCard?
    /// Its event, if it looks like one.
    public let event: CalendarEvent?

    /// Reads an object, on the queue of its context.
    public init(_ object: NSManagedObject) {
        entity = object.entity.name ?? ""
        (card, event) = (PersonCard(object), CalendarEvent(object))
        let facts = ObjectFacts(object)
        let name = facts.text("name", "title", "fullname", "displayname", "subject", "summary")
        title = card?.displayName ?? event?.title ?? name ?? entity
        let values = object.entity.attributesByName.sorted { $0.key < $1.key }.compactMap { name, attribute in
            attribute.isTransient ? nil : object.value(forKey: name).flatMap { JSONText.value($0) }.map { (name, $0) }
        }
        let members = values.map { "  \(JSONText.quoted($0.0)): \($0.1.json)" }.joined(separator: ",\n")
        json = Data((values.isEmpty ? "{}\n" : "{\n\(members)\n}\n").utf8)
        text = values.compactMap { name, value in value.plain.map { "\(name): \($0)" } }.joined(separator: "\n")
    }
}

/// Values as JSON, and as people read them.
enum JSONText {
    static func value(_ value: Any) -> (json: String, plain: String?)? {
        switch value {
        case let text as String: return (quoted(text), text)
        case let date as Date:
            let text =
                ContentLines.time(date).flatMap { _ in ISO8601DateFormatter().string(from: date) }
                ?? "\(date.timeIntervalSinceReferenceDate)"
            return (quoted(text), text)
        case let id as UUID: return (quoted(id.uuidString), id.uuidString)
        case let url as URL: return (quoted(url.absoluteString), url.absoluteString)
        case let data as Data: return (quoted(data.base64EncodedString()), nil)
        case let number as Bool: return ("\(number)", "\(number)")
        case let number as NSNumber:
            let text = number.stringValue
            // Infinity and what is no number have no form in JSON.
            return number.doubleValue.isFinite ? (text, text) : (quoted(text), text)
        default: return nil
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x2028 || scalar.value == 0x2029:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
