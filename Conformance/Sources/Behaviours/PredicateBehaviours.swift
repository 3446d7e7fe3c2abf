import CoreData
import Foundation

/// Which people a predicate finds, in a fetch and in memory.
///
/// Formats that break the grammar end a program on Apple's systems, so there are none.
enum PredicateBehaviours {
    private static let formats = [
        "age == 30", "age != 30", "age > 30", "age >= 30", "age < 30", "age <= 30", "30 == age", "age BETWEEN {17, 30}",
        "age IN {17, 65}",
        "NOT age IN {17, 65}", "age == 30 AND score > 2", "age == 30 OR age == 17", "NOT (age == 30)", "!(age == 30)",
        "age == 30 && score < 2",
        "age == 17 || age == 65", "age + 1 == 31", "age - 1 == 29", "age * 2 == 60", "age / 2 == 15", "age ** 2 == 900",
        "-age == -30",
        "score == 0", "score == 9.75", "score < 0", "abs(score) == 2", "note == nil", "note != nil", "note == NULL",
        "team == nil", "team != nil",
        "born == nil", "born > CAST(40, 'NSDate')", "name == 'Ann'", "name == 'ann'", "name ==[c] 'ann'",
        "name ==[d] 'Emile'", "name ==[cd] 'emile'",
        "name == 'Émile'", "name != 'Ann'", "name < 'B'", "name > 'C'", "name BEGINSWITH 'A'", "name BEGINSWITH[c] 'E'",
        "name BEGINSWITH[cd] 'e'",
        "name ENDSWITH 'e'", "name ENDSWITH[c] 'E'", "name CONTAINS 'i'", "name CONTAINS[c] 'B'", "name CONTAINS ''",
        "name BEGINSWITH ''", "name LIKE 'A*'",
        "name LIKE '?o?'", "name LIKE[c] 'E*'", "name LIKE[cd] 'e*'", "name LIKE '*'", "name LIKE ''",
        "name MATCHES 'A.n'", "name MATCHES 'n'", "name MATCHES '[AB].*'",
        "name MATCHES[c] 'a.*'", "note CONTAINS 'likes'", "NOT note CONTAINS 'likes'", "note CONTAINS[c] 'BOB'",
        "name IN {'Ann', 'Bob'}", "name IN[c] {'ANN'}",
        "'nn' IN name", "name.length == 3", "name.length > 3", "ANY pets.name == 'Rex'", "ANY pets.name BEGINSWITH 'K'",
        "ALL pets.name == 'Kit'", "NONE pets.name == 'Rex'",
        "pets.@count == 2", "pets.@count > 0", "pets.@count == 0", "team.name == 'Red'", "team.name != 'Red'",
        "team.points > 5", "team.members.@count == 2",
        "ANY team.members.age > 40", "SUBQUERY(pets, $p, $p.name == 'Tom').@count == 1",
        "SUBQUERY(pets, $p, $p.name == 'Tom').@count == 0", "isActive == YES", "isActive == NO", "isActive == TRUE",
        "isActive == 1", "TRUEPREDICATE", "FALSEPREDICATE", "age > 20 AND (name BEGINSWITH 'A' OR name BEGINSWITH 'B')",
        "age == 0x1E", "age == 3e1", "TERNARY(age > 30, 1, 0) == 1",
        "uppercase(name) == 'ANN'", "lowercase(name) == 'ann'", "name == \"Ann\"", "name == 'A\\'n'",
        "SELF.name == 'Ann'", "SELF == SELF", "age == age", "score > age", "#age == 30",
        "age =< 30", "age => 30", "age <> 30", "age = 30", "name contains 'nn'", "name beginswith[c] 'a'",
        "any pets.name == 'Rex'", "nil == note", "score BETWEEN {-2, 1.5}", "name BETWEEN {'A', 'C'}",
        "modulus:by:(age, 2) == 0", "ceiling(score) == 10", "floor(score) == 9", "sqrt(score) == 0",
        "trunc(score) == 9", "max({age, 31}) == 31", "min({age, 31}) == 30", "sum({age, 1}) == 31", "count(pets) == 2",
        "pets.name CONTAINS 'Rex'", "'Rex' IN pets.name", "team.members.name CONTAINS 'Bob'", "team IN {nil}",
        "ANY pets.name IN {'Rex', 'Kit'}", "ALL pets.name IN {'Rex', 'Tom'}", "NOT ANY pets.name == 'Rex'",
    ]

    static let all: [Behaviour] = formats.flatMap { format in
        [
            Behaviour(name: "fetch \(format)") { world in Rendering.text(of: try world.people(format)) },
            Behaviour(name: "filter \(format)") { world in
                let people = try world.people()
                let predicate = NSPredicate(format: format, argumentArray: nil)
                return Rendering.text(of: people.filter { predicate.evaluate(with: $0) })
            },
        ]
    }
}
