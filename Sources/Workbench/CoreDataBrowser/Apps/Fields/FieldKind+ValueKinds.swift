import CoreData
import CoreDataKinds

extension FieldKind {
    /// A kind of fields for each kind of values, whose class is the name with `Cell`: `DurationCell`, `MailAddressCell`. `MailCell` and
    /// `MapCell` are those that the books use.
    static let ofValueKinds: [FieldKind] =
        // Sounds and films are not entered as texts: `RecordingCell` takes them.
        KindRegistry.all.filter { $0.types != [.binary] }.map {
            FieldKind($0, className: $0.name.prefix(1).uppercased() + $0.name.dropFirst() + "Cell")
        }
        + [("mailAddress", "MailCell"), ("place", "MapCell")].compactMap { name, className in
            KindRegistry.kind(name).map { FieldKind($0, className: className) }
        }

    private init(_ kind: any ValueKind, className: String) {
        let types = Self.attributeTypes.filter { kind.types.contains($0.0) }.map(\.1)
        self.init(
            className, widget: kind.name == "markdown" || kind.name == "json" ? "longText" : "text", types: types,
            action: .saves { try Self.saved($0, kind) }, valueKind: kind.name)
    }

    /// What an entry sets in further attributes of the object, such as the longitude of a place.
    ///
    /// - Throws: `InspectionError` of code `badValue` for a text that is none of the kind.
    func parts(of entry: FieldEntry) throws -> [(attribute: NSAttributeDescription, value: JSONValue)] {
        guard let kind = valueKind.flatMap({ KindRegistry.kind($0) }), !kind.enteredParts.isEmpty else { return [] }
        let use = try kind.use(of: entry.attribute)
        return try kind.enteredParts.sorted().compactMap { part in
            guard let attribute = use.others[part].flatMap({ entry.attribute.entity?.attributesByName[$0] }) else {
                return nil
            }
            guard let text = entry.text, !text.isEmpty else { return (attribute, .null) }
            return (attribute, ValueCoding.jsonValue(try kind.value(of: text, for: attribute, use), of: attribute))
        }
    }

    private static let attributeTypes: [(AttributeKind, NSAttributeType)] = [
        (.string, .stringAttributeType), (.uri, .URIAttributeType), (.integer16, .integer16AttributeType),
        (.integer32, .integer32AttributeType), (.integer64, .integer64AttributeType), (.decimal, .decimalAttributeType),
        (.double, .doubleAttributeType), (.float, .floatAttributeType), (.binary, .binaryDataAttributeType),
        (.transformable, .transformableAttributeType),
    ]

    /// The value of an entered text; an empty one is null.
    private static func saved(_ entry: FieldEntry, _ kind: any ValueKind) throws -> JSONValue {
        guard let text = entry.text, !text.isEmpty else { return .null }
        let use = try kind.use(of: entry.attribute)
        return ValueCoding.jsonValue(try kind.value(of: text, for: entry.attribute, use), of: entry.attribute)
    }
}

extension ValueKind {
    /// The use of an attribute that a property list gives the kind, with the parameters that the model names.
    fileprivate func use(of attribute: NSAttributeDescription) throws -> KindUse {
        try use(
            of: KeyedAttribute(key: attribute.name, description: attribute), KindParameters(attribute), origin: .model)
    }
}

/// What the value of a row says by its kind.
struct RowReading {
    let reading: KindReading

    /// Nil for a row without a kind of values, for nil, and where the model names a parameter wrongly.
    init?(_ kind: FieldKind?, _ attribute: NSAttributeDescription, of record: ObjectRecord) {
        guard let found = kind?.valueKind.flatMap({ KindRegistry.kind($0) }), let use = try? found.use(of: attribute)
        else { return nil }
        var values: [String: Any] = [:]
        for key in use.keys {
            guard let route = try? KeyRoute(key, from: record.object.entity),
                case .value(let value, _) = record.read(route)
            else { continue }
            values[key] = value
        }
        guard values[use.key] != nil else { return nil }
        reading = found.reading(KindValues(values), use)
    }
}
