import CoreData

/// The cycles of relationships among objects: objects that were read through each other retain each other.
///
/// Only relationships whose contents are in memory are followed, so no fault fires.
struct RelationshipCycles {
    private struct Edge {
        let name: String
        let target: ObjectIdentifier
    }

    private let entities: [ObjectIdentifier: String]
    private let edges: [ObjectIdentifier: [Edge]]

    init(_ objects: Set<NSManagedObject>) {
        var edges: [ObjectIdentifier: [Edge]] = [:]
        for object in objects where !object.isFault {
            var own: [Edge] = []
            for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
            where !object.hasFault(forRelationshipNamed: name) {
                guard let value = object.primitiveValue(forKey: name) else { continue }
                let members: [NSManagedObject] =
                    if !relationship.isToMany {
                        [value as? NSManagedObject].compactMap(\.self)
                    } else if let list = value as? NSOrderedSet {
                        list.array.compactMap { $0 as? NSManagedObject }
                    } else {
                        (value as? Set<NSManagedObject>).map(Array.init)
                            ?? (value as? NSSet)?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
                    }
                own += members.map { Edge(name: name, target: ObjectIdentifier($0)) }
            }
            edges[ObjectIdentifier(object)] = own
        }
        self.edges = edges
        entities = Dictionary(
            objects.map { (ObjectIdentifier($0), $0.entity.name ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    /// The shortest cycle through an object, as `["Hero.team", "Team.members", "Hero"]`; empty if there is none.
    func cycle(of object: NSManagedObject) -> [String] {
        let start = ObjectIdentifier(object)
        var reached: [ObjectIdentifier: (from: ObjectIdentifier, name: String)] = [:]
        var waiting = [start]
        var next = 0
        while next < waiting.count {
            let place = waiting[next]
            next += 1
            for edge in edges[place] ?? [] {
                if edge.target == start {
                    var path = ["\(entities[place] ?? "").\(edge.name)", entities[start] ?? ""]
                    var step = place
                    while step != start, let former = reached[step] {
                        path.insert("\(entities[former.from] ?? "").\(former.name)", at: 0)
                        step = former.from
                    }
                    return path
                }
                guard reached[edge.target] == nil else { continue }
                reached[edge.target] = (place, edge.name)
                waiting.append(edge.target)
            }
        }
        return []
    }
}
