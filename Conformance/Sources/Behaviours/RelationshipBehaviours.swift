import CoreData
import Foundation

/// Inverses, delete rules and ordered relationships.
enum RelationshipBehaviours {
    private static func names(_ world: World, _ entity: String) throws -> String {
        Rendering.text(of: try world.context.fetch(world.request(entity)))
    }

    private static func deleting(_ name: String, of entity: String, saving: Bool) -> Behaviour {
        Behaviour(name: "delete \(name)\(saving ? " and save" : "")") { world in
            if let object = try world.context.fetch(world.request(entity, "name == %@", [name])).first {
                world.context.delete(object)
            }
            if saving { try world.context.save() } else { world.context.processPendingChanges() }
            let people = try world.people().map {
                "\(Rendering.text(of: $0)) of \(Rendering.text(of: $0.value(forKey: "team")))"
            }
            return
                "\(people.joined(separator: ", ")); \(try names(world, "Pet")); \(world.context.deletedObjects.count) deleted"
        }
    }

    private static func pets(_ name: String, _ change: @escaping @Sendable (World, NSMutableOrderedSet) throws -> Void)
        -> Behaviour
    {
        Behaviour(name: "ordered members: \(name)") { world in
            let ann = try world.person("Ann")
            try change(world, ann.mutableOrderedSetValue(forKey: "pets"))
            let before = Rendering.text(of: ann.value(forKey: "pets"))
            try world.context.save()
            world.context.refreshAllObjects()
            return "\(before), then \(Rendering.text(of: ann.value(forKey: "pets")))"
        }
    }

    static let all: [Behaviour] =
        ["Ann", "Cid", "eve"].flatMap { name in [true, false].map { deleting(name, of: "Person", saving: $0) } }
        + ["Red", "Blue"].map { deleting($0, of: "Team", saving: true) } + [deleting("Rex", of: "Pet", saving: true)]
        + [
            pets("add") { world, pets in pets.add(world.insert("Pet", ["name": "New"])) },
            pets("insert at 0") { world, pets in pets.insert(world.insert("Pet", ["name": "New"]), at: 0) },
            pets("add one that is there") { _, pets in pets.add(pets.object(at: 0)) },
            pets("remove at 0") { _, pets in pets.removeObject(at: 0) },
            pets("exchange") { _, pets in pets.exchangeObject(at: 0, withObjectAt: 1) },
            pets("move") { _, pets in pets.moveObjects(at: IndexSet(integer: 1), to: 0) },
            pets("replace at 0") { world, pets in pets.replaceObject(at: 0, with: world.insert("Pet", ["name": "New"]))
            },
            pets("take another's") { world, pets in
                if let kit = try world.context.fetch(world.request("Pet", "name == 'Kit'")).first { pets.add(kit) }
            },
            pets("remove all") { _, pets in pets.removeAllObjects() },
            Behaviour(name: "inverse of a to-one") { world in
                let eve = try world.person("eve")
                let red = try world.person("Ann").value(forKey: "team") as? NSManagedObject
                eve.setValue(red, forKey: "team")
                return Rendering.text(of: red?.value(forKey: "members"))
            },
            Behaviour(name: "inverse of a to-many") { world in
                let red = try world.person("Ann").value(forKey: "team") as? NSManagedObject
                red?.setValue(NSSet(array: [try world.person("eve")]), forKey: "members")
                return Rendering.text(of: try world.people("team == nil"))
            },
            Behaviour(name: "mutable set") { world in
                let red = try world.person("Ann").value(forKey: "team") as? NSManagedObject
                red?.mutableSetValue(forKey: "members").add(try world.person("Cid"))
                return Rendering.text(of: try world.person("Cid").value(forKeyPath: "team.name"))
            },
            Behaviour(name: "deny") { world in
                let team = world.insert("Team", ["name": "Money"])
                try world.person("Ann").setValue(team, forKey: "sponsor")
                try world.context.save()
                world.context.delete(team)
                try world.context.save()
                return "saved"
            },
            Behaviour(name: "object ids of a relationship") { world in
                return "\(try world.person("Ann").objectIDs(forRelationshipNamed: "pets").count)"
            },
            Behaviour(name: "has a fault for a relationship") { world in
                let ann = try world.person("Ann")
                world.context.refresh(ann, mergeChanges: false)
                let before = ann.hasFault(forRelationshipNamed: "pets")
                _ = (ann.value(forKey: "pets") as? NSOrderedSet)?.count
                return "\(before) \(ann.hasFault(forRelationshipNamed: "pets"))"
            },
        ]
}
