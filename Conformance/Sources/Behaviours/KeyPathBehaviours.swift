import CoreData
import Foundation

/// What key paths and their operators give.
enum KeyPathBehaviours {
    private static let paths = [
        "name", "team.name", "team.members.name", "pets.name", "pets.@count", "pets.@unionOfObjects.name",
        "pets.@distinctUnionOfObjects.name",
        "team.members.@avg.age", "team.members.@sum.age", "team.members.@min.age", "team.members.@max.age",
        "team.members.@count",
        "team.members.@distinctUnionOfObjects.age", "team.members.@max.name", "team.members.@min.name", "sponsor.name",
        "sponsor.sponsored.name", "note.length",
    ]

    private static let collections = [
        "@count", "@avg.age", "@sum.age", "@min.age", "@max.age", "@sum.score", "@avg.score",
        "@distinctUnionOfObjects.age", "@unionOfObjects.age", "@unionOfArrays.pets.name",
        "@distinctUnionOfObjects.team.name", "@max.name", "@min.born", "name", "team.name", "age",
    ]

    /// What is distinct has no order.
    private static func text(of value: Any?, at path: String) -> String {
        guard path.contains("distinct"), let list = value as? [Any] else { return Rendering.text(of: value) }
        return Rendering.text(of: NSSet(array: list))
    }

    static let all: [Behaviour] =
        paths.flatMap { path in
            ["Ann", "eve"].map { name in
                Behaviour(name: "\(name) at \(path)") { world in
                    return text(of: try world.person(name).value(forKeyPath: path), at: path)
                }
            }
        }
        + collections.map { path in
            Behaviour(name: "people at \(path)") { world in
                return text(of: (try world.people() as NSArray).value(forKeyPath: path), at: path)
            }
        }
        + [
            Behaviour(name: "dictionary with values") { world in
                return Rendering.text(
                    of: try world.person("Bob").dictionaryWithValues(forKeys: ["name", "age", "note"]))
            },
            Behaviour(name: "set values for keys") { world in
                let person = try world.person("Bob")
                person.setValuesForKeys(["name": "Rob", "age": 42])
                return Rendering.text(of: person.dictionaryWithValues(forKeys: ["name", "age"]))
            },
            Behaviour(name: "set a value for a key path") { world in
                let person = try world.person("Bob")
                person.setValue("Scarlet", forKeyPath: "team.name")
                return Rendering.text(of: try world.person("Ann").value(forKeyPath: "team.name"))
            },
        ]
}
