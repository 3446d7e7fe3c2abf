import CoreData

extension NSEntityDescription {
    private static let labelKeys = ["name", "title", "label", "displayName"]

    /// The string attribute that best names an object of the entity; nil if it has no stored string attribute.
    package var labelKey: String? {
        let texts = attributesByName.values.filter { $0.attributeType == .stringAttributeType && !$0.isTransient }
            .map(\.name).sorted()
        return Self.labelKeys.first(where: texts.contains)
            ?? texts.first { $0.hasSuffix("Name") || $0.hasSuffix("Title") } ?? texts.first
    }
}

extension StoreReading {
    private static let labelLength = 120

    /// The label of an object: the text that names it, or else `Hero p7`.
    package func label(of object: NSManagedObject) -> String {
        let entity = entity(of: object)
        if let key = entity.labelKey, let route = try? KeyRoute(key, from: entity),
            let text = record(object).read(route).text, !text.isEmpty
        {
            return PrintableText.escaped(String(text.unicodeScalars.prefix(Self.labelLength)))
        }
        return name(of: object).replacing("/", with: " ")
    }

    /// `{"id", "label"}`
    package func link(to object: NSManagedObject) -> JSONValue {
        .object([("id", .string(name(of: object))), ("label", .string(label(of: object)))])
    }
}
