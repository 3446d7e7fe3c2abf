import CoreData
import Foundation

/// With which errors a save is refused, and what is validated when.
enum ValidationBehaviours {
    private static let values: [(String, [String: any Sendable])] = [
        ("nothing", [:]), ("a name", ["name": "Max"]), ("a short name", ["name": "M"]), ("an empty name", ["name": ""]),
        ("a long name", ["name": String(repeating: "m", count: 21)]),
        ("a name of the greatest length", ["name": String(repeating: "m", count: 20)]),
        ("a negative age", ["name": "Max", "age": -1]), ("a great age", ["name": "Max", "age": 151]),
        ("the greatest age", ["name": "Max", "age": 150]),
        ("two faults", ["name": "M", "age": -1]), ("a name of emoji", ["name": "👩‍👩‍👧"]),
        ("a score that is no number", ["name": "Max", "score": Double.nan]),
    ]

    static let all: [Behaviour] =
        values.map { name, values in
            Behaviour(name: "save a person with \(name)", filled: false) { world in
                _ = world.insert("Person", values)
                try world.context.save()
                return "saved"
            }
        }
        + [
            Behaviour(name: "save two faulty people", filled: false) { world in
                _ = world.insert("Person", ["name": "M"])
                _ = world.insert("Person", ["name": "Max", "age": 200])
                try world.context.save()
                return "saved"
            },
            Behaviour(name: "validate a value") { world in
                var value: AnyObject? = "M" as NSString
                try world.person("Ann").validateValue(&value, forKey: "name")
                return "valid"
            },
            Behaviour(name: "validate for insert", filled: false) { world in
                try world.insert("Person").validateForInsert()
                return "valid"
            },
            Behaviour(name: "validate for update") { world in
                let person = try world.person("Ann")
                person.setValue(nil, forKey: "name")
                try person.validateForUpdate()
                return "valid"
            },
            Behaviour(name: "validate for delete with denied rule") { world in
                let person = try world.person("Ann")
                let sponsor = world.insert("Team", ["name": "Money"])
                person.setValue(sponsor, forKey: "sponsor")
                try person.validateForDelete()
                return "valid"
            },
            Behaviour(name: "a refused save keeps the changes") { world in
                try world.person("Ann").setValue("A", forKey: "name")
                try? world.context.save()
                return "\(world.context.hasChanges) \(world.context.updatedObjects.count)"
            },
            Behaviour(name: "too many members of a bounded relationship") { world in
                let team = world.insert("Team", ["name": "Money"])
                for person in try world.people().prefix(3) { person.setValue(team, forKey: "sponsor") }
                try world.context.save()
                return "saved"
            },
        ]
}
