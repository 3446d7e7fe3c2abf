import CoreData
import CoreDataPlaces

/// A postal address in several attributes: street, town, state and code.
///
/// The parameters `city`, `state` and `zip` are the keys of the other attributes; without them their names decide.
struct PostalAddressKind: ValueKind {
    let name = "postalAddress"
    let summary = "an address in several attributes; parameters city, state, zip: their keys"
    let types: Set<AttributeKind> = [.string]

    private static let streets: Set = ["street", "streetaddress", "addressline"]
    /// Names of the further parts, in lower case and without signs.
    private static let parts: [String: Set<String>] = [
        "city": ["city", "town", "locality"], "state": ["state", "province", "region", "county"],
        "zip": ["zip", "zipcode", "postalcode", "postcode"],
    ]

    /// A street is guessed to be an address only beside a town.
    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.attributes.filter {
            types.contains(AttributeKind($0.description)) && Self.streets.contains($0.plainName)
        }
        .compactMap { street in
            let others = Self.others(of: street, among: entity.attributes)
            guard others["city"] != nil else { return nil }
            return KindGuess(KindUse(kind: name, key: street.key, origin: .guess, others: others), .together)
        }
    }

    func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        let all = attribute.description.entity.map(KeyedAttribute.all) ?? []
        var use = KindUse(
            kind: name, key: attribute.key, origin: origin, others: Self.others(of: attribute, among: all))
        for part in Self.parts.keys {
            guard let key = parameters[part] else { continue }
            guard all.contains(where: { $0.key == key }) else {
                throw InspectionError(
                    .badValue, subject: attribute.key,
                    cause: "there is no attribute '\(PrintableText.escaped(key, limit: 80))'",
                    hint: "name the key of another attribute of the entity")
            }
            use.others[part] = key
        }
        return use
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        func part(_ name: String) -> String? { use.others[name].flatMap { values.text($0) } }
        let street = values.text(use.key)
        let address = PostalAddress(street: street, city: part("city"), state: part("state"), zip: part("zip"))
        return KindReading(address.line, entry: street ?? "")
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? { text }

    /// The attributes beside one, in the same composite if it is an element, whose names are those of the parts.
    private static func others(of street: KeyedAttribute, among all: [KeyedAttribute]) -> [String: String] {
        let owner = street.owner
        return parts.compactMapValues { names in
            all.first {
                $0.owner == owner && AttributeKind($0.description) == .string && names.contains($0.plainName)
            }?.key
        }
    }
}

extension KeyedAttribute {
    /// The name in lower case without signs: `zipcode` for `zipCode` and `zip_code`.
    fileprivate var plainName: String { description.name.lowercased().filter { $0 != "_" && $0 != "-" } }

    /// The composite attribute of which this is an element; empty for none.
    fileprivate var owner: Substring { key.split(separator: ".").dropLast().first ?? "" }
}
