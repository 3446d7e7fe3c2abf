import CoreData

/// The elements of an entity's composite attributes as keys of records: `color.red`.
struct ImportElements {
    struct Place {
        /// The composite attribute.
        let key: String
        /// The names that lead to an element, or to a composite within.
        let path: [String]
    }

    private let places: [String: Place]

    init(_ entity: NSEntityDescription) {
        var places: [String: Place] = [:]
        for case let composite as NSCompositeAttributeDescription in entity.attributesByName.values {
            for leaf in CompositeCoding.leaves(of: composite) {
                for count in leaf.path.indices {
                    let path = Array(leaf.path[...count])
                    let name = ([composite.name] + path).joined(separator: ".")
                    places[name] = Place(key: composite.name, path: path)
                }
            }
        }
        self.places = places
    }

    /// The record with one value for each composite attribute of which it has elements.
    func gathered(_ record: ImportRecord) -> ImportRecord {
        guard !places.isEmpty, record.members.contains(where: { places[$0.key] != nil }) else { return record }
        var (members, found, order): ([ImportRecord.Member], [String: [EditValue.Element]], [String]) = ([], [:], [])
        for member in record.members {
            guard let place = places[member.key] else {
                members.append(member)
                continue
            }
            if found[place.key] == nil { order.append(place.key) }
            found[place.key, default: []].append(.init(path: place.path, value: member.value))
        }
        var record = record
        record.members = members + order.map { .init(key: $0, value: .elements(found[$0] ?? [])) }
        return record
    }
}
