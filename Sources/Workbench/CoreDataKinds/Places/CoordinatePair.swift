import CoreData

/// Two numeric attributes whose names show that they are a latitude and a longitude.
package struct CoordinatePair: Hashable, Sendable {
    private static let latitudes: Set = ["latitude", "lat"]
    private static let longitudes: Set = ["longitude", "lon", "lng", "long"]
    private static let kinds: Set<AttributeKind> = [.integer16, .integer32, .integer64, .decimal, .double, .float]

    /// The key paths; of two keys if the attributes are elements of a composite attribute.
    package let latitude: String
    package let longitude: String

    package init(latitude: String, longitude: String) { (self.latitude, self.longitude) = (latitude, longitude) }

    package var json: JSONValue {
        .object([("latitude", .string(latitude)), ("longitude", .string(longitude))])
    }

    /// The pairs of an entity in the order of their names, those within composite attributes last: `lat` and `lng`,
    /// `homeLatitude` and `homeLongitude`, `place.latitude` and `place.longitude`.
    package static func pairs(of entity: NSEntityDescription) -> [CoordinatePair] {
        let attributes = Array(entity.attributesByName.values)
        let composites = attributes.compactMap { $0 as? NSCompositeAttributeDescription }.filter { !$0.isTransient }
        let within = composites.flatMap { pairs(among: $0.elements, path: "\($0.name).") }
        return pairs(among: attributes, path: "") + within.sorted { $0.latitude < $1.latitude }
    }

    private static func pairs(among attributes: [NSAttributeDescription], path: String) -> [CoordinatePair] {
        let names = attributes.filter { kinds.contains(AttributeKind($0)) && !$0.isTransient }.map(\.name).sorted()
        var longitudes: [[String]: String] = [:]
        for name in names {
            guard let rest = rest(of: name, without: Self.longitudes), longitudes[rest] == nil else { continue }
            longitudes[rest] = name
        }
        var known: Set<[String]> = []
        return names.compactMap { name in
            guard let rest = rest(of: name, without: latitudes), let longitude = longitudes[rest],
                known.insert(rest).inserted
            else { return nil }
            return CoordinatePair(latitude: path + name, longitude: path + longitude)
        }
    }

    /// The words of a name, with an empty text in place of the last word that is in `words`; nil for a name without
    /// such a word.
    private static func rest(of name: String, without words: Set<String>) -> [String]? {
        var parts = NameWords.words(of: name)
        guard let place = parts.lastIndex(where: words.contains) else { return nil }
        parts[place] = ""
        return parts
    }
}
