import CoreData

/// A value as lists and previews show it, cut to a limited length.
struct ShownValue {
    /// The longest text that is shown, in Unicode scalars.
    static let longestText = 300
    /// The longest JSON of a decoded value that is shown, in bytes.
    private static let longestTree = 4_000

    let json: JSONValue
    /// Whether the shown value is cut.
    let isCut: Bool
    /// Why the value cannot be read.
    let unreadable: String?

    init(_ reading: PropertyReading) {
        var (json, isCut): (JSONValue, Bool) = (.null, false)
        var unreadable: String?
        switch reading {
        case .value(let data as Data, .binary), .value(let data as Data, .transformable):
            // A list shows small pictures, and colours.
            let picture = MediaKind.picture(of: data)
            json = .object(
                [("bytes", .count(data.count))] + (picture.map { [("type", .string($0))] } ?? [])
                    + (ArchivedColor(data).map { [("color", $0.json)] } ?? []))
        case .value(let text as String, _), .text(let text): (json, isCut) = Self.cut(text)
        case .value(let value, let kind):
            json = ValueCoding.json(value, kind)
            if case .string(let text) = json { (json, isCut) = Self.cut(text) }
            if Self.isTree(json) {
                let line = JSONWriter.line(json)
                if line.utf8.count > Self.longestTree { (json, isCut) = (Self.cut(line).0, true) }
            }
        case .unreadable(let reason): unreadable = reason
        case .object(let id): json = .string(id.shortText)
        case .objects(let ids, _): json = .count(ids.count)
        case .null: break
        }
        (self.json, self.isCut, self.unreadable) = (json, isCut, unreadable)
    }

    private static func isTree(_ json: JSONValue) -> Bool {
        switch json {
        case .array, .members: true
        default: false
        }
    }

    private static func cut(_ text: String) -> (JSONValue, Bool) {
        // A text has at most as many scalars as bytes; counting the scalars of a long text takes long.
        guard text.utf8.count > longestText else { return (.string(text), false) }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longestText, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return (.string(text), false) }
        return (.string(String(scalars[..<end])), true)
    }
}
