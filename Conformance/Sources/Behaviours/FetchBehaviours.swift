import CoreData
import Foundation

/// Requests with orders, windows, kinds of results and groups.
enum FetchBehaviours {
    private static func fetch(
        _ name: String, _ change: @escaping @Sendable (NSFetchRequest<NSManagedObject>) -> Void
    ) -> Behaviour {
        Behaviour(name: "fetch \(name)") { world in
            let request = world.request("Person")
            change(request)
            return Rendering.text(of: try world.context.fetch(request))
        }
    }

    private static func dictionaries(
        _ name: String, _ change: @escaping @Sendable (NSFetchRequest<NSDictionary>) -> Void
    ) -> Behaviour {
        Behaviour(name: "dictionaries \(name)") { world in
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            change(request)
            return Rendering.text(of: try world.context.fetch(request))
        }
    }

    private static func sorts(_ keys: [(String, Bool)]) -> Behaviour {
        fetch("by \(keys.map { "\($0)\($1 ? "" : " down")" }.joined(separator: ", "))") {
            $0.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: $1) }
        }
    }

    private static func aggregate(_ function: String, _ key: String) -> Behaviour {
        dictionaries("\(function)\(key)") { request in
            let description = NSExpressionDescription()
            description.name = "value"
            description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
            description.expressionResultType = .doubleAttributeType
            request.sortDescriptors = nil
            request.propertiesToFetch = [description]
        }
    }

    static let all: [Behaviour] =
        [
            sorts([("name", true)]), sorts([("name", false)]), sorts([("age", true), ("name", true)]),
            sorts([("age", false), ("name", false)]),
            sorts([("note", true), ("name", true)]), sorts([("team.name", true), ("name", true)]),
            sorts([("score", true)]), sorts([("born", false), ("name", true)]),
            fetch("two") { $0.fetchLimit = 2 }, fetch("from the third") { $0.fetchOffset = 2 },
            fetch("one from the second") { ($0.fetchLimit, $0.fetchOffset) = (1, 1) },
            fetch("beyond the end") { $0.fetchOffset = 9 },
            fetch("in batches") { $0.fetchBatchSize = 2 },
            fetch("without subentities") { $0.includesSubentities = false },
            fetch("with prefetching") { $0.relationshipKeyPathsForPrefetching = ["team", "pets"] },
            dictionaries("of a name") { $0.propertiesToFetch = ["name"] },
            dictionaries("of a name and an age") { $0.propertiesToFetch = ["name", "age"] },
            dictionaries("of a key path") { $0.propertiesToFetch = ["name", "team.name"] },
            dictionaries("of distinct ages") { request in
                request.propertiesToFetch = ["age"]
                request.returnsDistinctResults = true
                request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            },
            aggregate("count:", "name"), aggregate("sum:", "age"), aggregate("min:", "age"), aggregate("max:", "age"),
            aggregate("average:", "age"),
            aggregate("sum:", "score"), aggregate("count:", "note"),
        ]
        + ["age == 30", "age > 100", "ANY pets.name == 'Rex'"].map { format in
            Behaviour(name: "count \(format)") { world in
                return "\(try world.context.count(for: world.request("Person", format)))"
            }
        }
        + [
            Behaviour(name: "fetch what was inserted and not saved") { world in
                _ = world.insert("Person", ["name": "Zoe"])
                return Rendering.text(of: try world.people("name == 'Zoe'"))
            },
            Behaviour(name: "fetch without pending changes") { world in
                _ = world.insert("Person", ["name": "Zoe"])
                let request = world.request("Person", "name == 'Zoe'")
                request.includesPendingChanges = false
                return Rendering.text(of: try world.context.fetch(request))
            },
            Behaviour(name: "fetch what was changed and not saved") { world in
                try world.person("Ann").setValue(99, forKey: "age")
                return Rendering.text(of: try world.people("age == 99"))
            },
            Behaviour(name: "fetch what was deleted and not saved") { world in
                world.context.delete(try world.person("Ann"))
                return Rendering.text(of: try world.people())
            },
            Behaviour(name: "fetch object ids") { world in
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
                request.resultType = .managedObjectIDResultType
                return "\(try world.context.fetch(request).count)"
            },
            Behaviour(name: "fetch an object twice") { world in
                return "\(try world.person("Ann") === world.person("Ann"))"
            },
        ]
}
