import CoreData
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres
@testable import CoreDataSQL

/// Texts and data of any length where the model has an index or wants values to be unique: saved, found, sorted, refused.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct LongValueTests {
    private let scene: LongValueScene
    private let seed = TestSeed.first

    init() throws { scene = try LongValueScene() }

    /// Two of each length that differ in what comes last only.
    private func values() -> [(text: String, data: Data)] {
        var random = SeededRandom(seed: seed)
        return LongValueScene.lengths.flatMap { length in
            let text = LongValueScene.text(length - 1, &random)
            let data = LongValueScene.data(length - 1, &random)
            return [(text + "a", data + [0]), (text + "b", data + [1])]
        }
    }

    private func insert(_ stack: Stack) throws {
        for (number, value) in values().enumerated() {
            stack.context.insert(
                "Page",
                [
                    "text": value.text, "first": value.text, "second": value.text, "code": value.text,
                    "left": value.text, "right": value.data, "data": value.data, "number": number,
                ])
        }
        stack.context.insert("Page", ["number": 1_000])
        try stack.context.save()
        stack.context.reset()
    }

    /// Asks a store for the numbers of pages, without their values.
    private struct Asking {
        let stack: Stack
        let numbers: [NSManagedObjectID: Int]

        init(_ stack: Stack) throws {
            self.stack = stack
            let request = NSFetchRequest<NSDictionary>(entityName: "Page")
            let key = NSExpressionDescription()
            key.name = "id"
            key.expression = NSExpression.expressionForEvaluatedObject()
            key.expressionResultType = .objectIDAttributeType
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [key, "number"]
            numbers = Dictionary(
                try stack.context.fetch(request).compactMap { row in
                    (row["id"] as? NSManagedObjectID).flatMap { id in (row["number"] as? Int).map { (id, $0) } }
                }, uniquingKeysWith: { first, _ in first })
        }

        func callAsFunction(
            _ format: String, _ arguments: [Any?], _ sorting: [NSSortDescriptor], limit: Int
        ) throws -> [Int] {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Page")
            request.resultType = .managedObjectIDResultType
            request.predicate = try NSPredicate(parsing: format, arguments: arguments)
            request.sortDescriptors = sorting
            request.fetchLimit = limit
            return try stack.context.fetch(request).compactMap { numbers[$0] }
        }
    }

    @Test("values of any length are saved where the model has indexes, and answer every question as on SQLite (HAZ-61)")
    func valuesOfAnyLengthAreSavedWhereModelHasIndexes() throws {
        let stacks = (try scene.open(), try Stack(LongValueScene.makeModel(), kind: .sqlite))
        for stack in [stacks.0, stacks.1] { try insert(stack) }
        let (server, file) = (try Asking(stacks.0), try Asking(stacks.1))
        let byNumber = [NSSortDescriptor(key: "number", ascending: true)]
        var asked = 0
        func compare(_ format: String, _ arguments: [Any?], _ sorting: [NSSortDescriptor], limit: Int = 0) throws {
            let expected = try file(format, arguments, sorting, limit: limit)
            #expect(try server(format, arguments, sorting, limit: limit) == expected, "\(format), seed \(seed)")
            asked += 1
        }
        #expect(server.numbers.count == values().count + 1)
        for value in values() {
            let isHuge = value.text.utf8.count > 100_000
            for key in isHuge ? ["text"] : ["text", "code"] {
                for sign in isHuge ? ["==", ">"] : ["==", "!=", "<", "<=", ">", ">="] {
                    try compare("\(key) \(sign) %@", [value.text], byNumber)
                }
                try compare("\(key) IN %@", [[value.text, "nothing"]], byNumber)
                for length in [200, value.text.unicodeScalars.count - 1] {
                    let start = String(value.text.unicodeScalars.prefix(length))
                    try compare("\(key) BEGINSWITH %@", [start], byNumber)
                }
                guard !isHuge else { continue }
                let others = (0..<300).map { "\(value.text.prefix(800))\($0)" } + [value.text]
                try compare("\(key) IN %@", [others], byNumber)
                try compare("NOT (\(key) > %@)", [value.text], byNumber)
                for length in [1, 199, 201, 801] {
                    let start = String(value.text.unicodeScalars.prefix(length))
                    try compare("\(key) BEGINSWITH %@", [start], byNumber)
                }
            }
            try compare("data == %@", [value.data], byNumber)
            guard !isHuge else { continue }
            try compare("first == %@ AND second == %@ AND number >= 0", [value.text, value.text], byNumber)
            try compare("data IN %@", [[value.data, Data([3])]], byNumber)
            try compare("data != %@", [value.data], byNumber)
        }
        for key in ["text", "first", "code"] {
            try compare("\(key) == nil", [], byNumber)
            try compare("\(key) != nil", [], byNumber)
            for ascending in [true, false] {
                let sorting = [NSSortDescriptor(key: key, ascending: ascending)] + byNumber
                for limit in [0, 3, 100] { try compare("number >= 0", [], sorting, limit: limit) }
            }
        }
        print("  \(asked) questions about values of up to \(LongValueScene.lengths.last ?? 0) characters, seed \(seed)")
    }

    @Test("values of any length are unique, trade places, and are refused whole where they are there twice (HAZ-61)")
    func valuesOfAnyLengthAreUnique() throws {
        let stack = try scene.open()
        try insert(stack)
        let values = values()
        func page(_ number: Int) throws -> NSManagedObject {
            try #require(try stack.context.all("Page", NSPredicate(format: "number == %d", number)).first)
        }
        for number in [1, values.count - 1] {
            let (one, other) = (try page(number - 1), try page(number))
            one.setValue(values[number].text, forKey: "code")
            other.setValue(values[number - 1].text, forKey: "code")
        }
        try stack.context.save()
        stack.context.reset()
        for (number, value) in values.enumerated().dropLast() {
            let page = stack.context.insert("Page", ["code": value.text])
            let error = #expect(throws: NSError.self, "length \(value.text.count)") { try stack.context.save() }
            #expect(error?.code == NSManagedObjectConstraintMergeError)
            let conflicts = error?.userInfo[CoreDataError.conflictListKey] as? [NSConstraintConflict]
            #expect(conflicts?.map(\.constraint) == [["code"]])
            stack.context.delete(page)
            try stack.context.save()
            // Of two properties the text is the same, then both are.
            let near = ["left": value.text, "right": value.data + [7], "number": number] as [String: Any]
            let allowed = stack.context.insert("Page", near)
            try stack.context.save()
            allowed.setValue(value.data, forKey: "right")
            #expect(throws: NSError.self) { try stack.context.save() }
            stack.context.delete(allowed)
            try stack.context.save()
        }
        // The server itself refuses them, whoever writes; where something is nil there is nothing to be unique.
        try scene.server.execute("INSERT INTO \(scene.name).zpage (z_pk, z_ent, z_opt) VALUES (900000, 1, 1)")
        for columns in ["zcode", "zleft, zright, znumber"] {
            let error = #expect(throws: PostgresError.self) {
                try scene.ask(
                    "INSERT INTO \(scene.name).zpage (z_pk, z_ent, z_opt, \(columns)) "
                        + "SELECT 900001, 1, 1, \(columns) FROM \(scene.name).zpage WHERE znumber = \(values.count - 1)"
                )
            }
            #expect(error?.sqlState == "23P01")
        }
        // What only differs in a backslash that is doubled is no duplicate.
        let long = String(repeating: "x", count: 300)
        for code in [#"\"#, #"\\"#, #"\134"#, "'"] { stack.context.insert("Page", ["code": long + code]) }
        try stack.context.save()
    }

    @Test("indexes of beginnings serve every look-up and the first rows of an order (HAZ-61)")
    func indexesOfBeginningsServeEveryLookUpAndFirstRowsOfOrder() throws {
        let stack = try scene.open()
        try scene.fill(20_000)
        let text = "Page 4a64d913220fca4c33c140c6952688a8"
        var asked: [(String, [Any?], [NSSortDescriptor], Int, String, Int)] = [
            ("text == %@", [text], [], 0, "z_page_", 1), ("text IN %@", [[text, "x"]], [], 0, "z_page_", 1),
            ("text BEGINSWITH 'Page 4a64d9132'", [], [], 0, "z_page_", 1),
            ("text > 'Page 4a64d913' AND text < 'Page 4a64d914'", [], [], 0, "z_page_", 1),
            ("text >= 'Page fffff' AND number < 3", [], [], 0, "z_page_", 200),
            ("text == nil", [], [], 0, "z_page_", 0),
            ("text IN %@", [(0..<30).map { "\($0)" } + [text]], [], 0, "z_page_", 1),
            ("first == 'First 7' AND second == 'Second 7'", [], [], 0, "z_page_byboth", 1),
            ("first == 'First 7' AND second BEGINSWITH 'Second 10'", [], [], 0, "z_page_byboth", 20),
            ("data == %@", [Data([0x4a, 0x64])], [], 0, "z_page_", 0),
            ("code == %@", ["nothing"], [], 0, "z_page_unique_code", 0),
            ("code == %@", [String(repeating: "y", count: 5_000)], [], 0, "z_page_unique_code", 0),
            ("text == %@", [String(repeating: "y", count: 5_000)], [], 0, "z_page_", 0),
        ]
        for ascending in [true, false] {
            let sorting = NSSortDescriptor(key: "text", ascending: ascending)
            asked.append(("TRUEPREDICATE", [], [sorting], 20, "z_page_", 60))
            asked.append(
                ("number > 5", [], [sorting, NSSortDescriptor(key: "number", ascending: true)], 20, "z_page_", 60))
        }
        for (format, arguments, sorting, limit, index, most) in asked {
            let found = try scene.explain(stack, format, arguments, sortedBy: sorting, limit: limit)
            let plan = found.questions.last?.plan
            #expect(
                plan?.indexes.count == 1 && plan?.indexes.first?.hasPrefix(index) == true,
                "\(format): \(plan?.lines ?? [])")
            #expect(try #require(found.examined) <= max(most, 1), "\(format): \(plan?.lines ?? [])")
            #expect(found.outcome?.evaluated == 0)
        }
    }
}
