import CoreData

/// The objects of a keyed archive as dictionaries, read from its property list alone: no class of the archive is made, so that its
/// bytes decide on nothing but these values.
struct ArchivedPossessions {
    /// What an entry of a list of possessions has, with the keys `name`, `value` and `image`.
    let entries: [[String: Any]]

    /// Reads the property list of an archive whose root is an array of possessions; nil if it is anything else.
    init?(_ list: Any) {
        guard (list as? [String: Any])?["$archiver"] as? String == "NSKeyedArchiver",
            let list = Self.withPlainReferences(list) as? [String: Any], let objects = list["$objects"] as? [Any],
            let top = list["$top"] as? [String: Any]
        else { return nil }
        func object(_ value: Any?) -> Any? {
            guard let reference = value as? [String: Any], let index = reference[Self.reference] as? Int else {
                return value
            }
            guard objects.indices.contains(index), index != 0 else { return nil }
            return objects[index]
        }
        guard let root = object(top["root"]) as? [String: Any], let members = root["NS.objects"] as? [Any] else {
            return nil
        }
        var entries: [[String: Any]] = []
        for member in members {
            guard let fields = object(member) as? [String: Any] else { return nil }
            var entry: [String: Any] = [:]
            for key in ["name", "value", "image"] {
                guard let value = object(fields[key]) else { continue }
                // Mutable texts and data are objects with one field.
                let inner = value as? [String: Any]
                entry[key] = inner?["NS.string"] ?? inner?["NS.data"] ?? value
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static let reference = "UID"

    /// The list with dictionaries in place of an archive's references, which have no type of their own in Swift.
    private static func withPlainReferences(_ list: Any) -> Any? {
        guard let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0) else {
            return nil
        }
        let text = String(decoding: data, as: UTF8.self)
            .replacingOccurrences(of: "<key>CF$UID</key>", with: "<key>\(reference)</key>")
        return try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    }
}
