import CoreData
import CoreDataPostgres
import StoreContract
import TestBasics
import TestServers
import Testing

/// Medians, deviations and modes over the members of a to-many relationship in groups, on a server as in a file and in memory.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct GroupedMemberTests {
    private static func stacks() throws -> [Stack] {
        let builder = ModelBuilder()
        builder.entity("Owner", ["name": .stringAttributeType, "city": .stringAttributeType])
        builder.entity(
            "Pet",
            [
                "name": .stringAttributeType, "age": .integer16AttributeType, "weight": .doubleAttributeType,
                "price": .decimalAttributeType, "born": .dateAttributeType, "mark": .UUIDAttributeType,
            ])
        builder.relationships("Owner.pets*", "Pet.owners*")
        let stacks = [
            try Stack(builder.model), try Stack(builder.model, kind: .inMemory),
            try Stack(builder.model, url: PostgresServer.shared.get().makeURL("members"), kind: .postgreSQL),
        ]
        for stack in stacks {
            // The same objects in each.
            var random = SeededRandom(seed: 46)
            let marks = (0..<3).map { UUID(uuid: (UInt8($0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) }
            let pets = (0..<60).map { number -> NSManagedObject in
                let isKnown = number % 7 != 0
                let weight = Double(Int.random(in: -40...40, using: &random)) / 8
                let values: [String: Any?] = [
                    "name": isKnown ? ["Rex", "ä x", ""][Int.random(in: 0..<3, using: &random)] : nil,
                    "age": isKnown ? Int.random(in: 0..<9, using: &random) : nil, "weight": isKnown ? weight : nil,
                    "price": isKnown ? NSDecimalNumber(string: "\(number % 11).\(number % 10)5") : nil,
                    "born": isKnown ? Date(timeIntervalSinceReferenceDate: weight * 1_000) : nil,
                    "mark": isKnown ? marks[Int.random(in: 0..<3, using: &random)] : nil,
                ]
                return stack.context.insert("Pet", values)
            }
            for number in 0..<30 {
                let owner = stack.context.insert("Owner", ["name": "o\(number)", "city": "c\(number % 5)"])
                let count = number % 5 == 4 ? 0 : Int.random(in: 0..<6, using: &random)
                let own = (0..<count).map { _ in pets[Int.random(in: 0..<pets.count, using: &random)] }
                owner.setValue(NSSet(array: own), forKey: "pets")
            }
            try stack.context.save()
            stack.context.reset()
        }
        return stacks
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let number as NSDecimalNumber: number.stringValue
        case let number as NSNumber: "\(number.doubleValue)"
        default: "\(value ?? "nil")"
        }
    }

    @Test("they are those of the other stores (FET-17, FET-20)")
    func theyAreThoseOfOtherStores() throws {
        let stacks = try Self.stacks()
        let columns: [(String, String, NSAttributeType)] = [
            ("median:", "age", .doubleAttributeType), ("median:", "weight", .doubleAttributeType),
            ("median:", "price", .decimalAttributeType), ("median:", "born", .dateAttributeType),
            ("stddev:", "age", .doubleAttributeType), ("stddev:", "weight", .doubleAttributeType),
            ("stddev:", "born", .doubleAttributeType), ("mode:", "age", .integer64AttributeType),
            ("mode:", "name", .stringAttributeType), ("mode:", "mark", .UUIDAttributeType),
            ("mode:", "price", .decimalAttributeType), ("mode:", "born", .dateAttributeType),
        ]
        let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["city"]
        let descriptions = columns.enumerated().map { number, column in
            let description = NSExpressionDescription()
            description.name = "v\(number)"
            description.expression = NSExpression(
                forFunction: column.0, arguments: [NSExpression(forKeyPath: "pets." + column.1)])
            description.expressionResultType = column.2
            return description
        }
        request.propertiesToFetch = ["city"] + descriptions
        request.sortDescriptors = [NSSortDescriptor(key: "city", ascending: true)]
        for condition in [nil, NSPredicate(format: "v0 > 3"), NSPredicate(format: "v8 == 'Rex' OR v0 == nil")] {
            request.havingPredicate = condition
            let answers = try stacks.map { stack in
                try stack.context.fetch(request).map { row in
                    (["city"] + columns.indices.map { "v\($0)" }).map { Self.text(row[$0]) }.joined(separator: " ")
                }
            }
            #expect(answers[0] == answers[1], "\(String(describing: condition))")
            #expect(answers[2] == answers[1], "\(String(describing: condition))")
            if condition == nil { #expect(answers[1].count == 5 && answers[1].last?.hasSuffix("nil nil nil") == true) }
        }
    }
}
