import CoreData
import StoreContract
import TestServers
import Testing

/// Comparisons with what is not a number, which a server has above all numbers and equal to itself.
@Suite(
    "Comparisons with what is not a number", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct NotANumberTests {
    private static func stack(_ kind: StoreKind, _ url: URL?, keepsNaN: Bool) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "name": .stringAttributeType, "price": .decimalAttributeType, "weight": .doubleAttributeType,
                "ratio": .floatAttributeType, "count": .integer64AttributeType, "other": .decimalAttributeType,
                "made": .dateAttributeType,
            ])
        let stack = try url.map { try Stack(builder.model, url: $0, kind: kind) } ?? Stack(builder.model, kind: kind)
        let decimals = ["NaN", "-1", "0", "7.25", nil].map { $0.map { NSDecimalNumber(string: $0) } }
        let reals: [Double?] = [.nan, -1, 0, 7.25, .infinity, nil]
        for (row, decimal) in decimals.enumerated() {
            for (column, real) in reals.enumerated() where keepsNaN || real?.isNaN != true {
                let item = stack.context.insert("Item", ["name": "\(row)\(column)", "count": column - 2])
                item.setValue(decimal, forKey: "price")
                item.setValue(decimals[(row + column) % decimals.count], forKey: "other")
                item.setValue(real, forKey: "weight")
                item.setValue(real.map { Float($0) }, forKey: "ratio")
                let finite = real.flatMap { $0.isFinite ? $0 : nil }
                item.setValue(finite.map { Date(timeIntervalSinceReferenceDate: $0) }, forKey: "made")
            }
        }
        try stack.context.save()
        return stack
    }

    private static var predicates: [(String, [Any])] {
        let operators = ["<", "<=", ">", ">=", "==", "!="]
        let sides = [
            "price", "weight", "ratio", "count", "price + 1", "weight + 1", "count + 1", "price * 2", "weight * 2",
            "-price",
            "-weight", "abs:(price)", "abs:(weight)", "weight + price", "count * 1.5", "made",
            "TERNARY(count > 0, price, other)", "TERNARY(count > 0, weight, ratio)", "min:({price, other})",
            "max:({price, other})", "other",
        ]
        let constants: [Any] = [
            Double.nan, Float.nan, NSNumber(value: Double.nan), NSDecimalNumber.notANumber, Decimal.nan, 0, 0.5,
            NSDecimalNumber(string: "0.5"),
        ]
        var made: [(String, [Any])] = []
        for side in sides {
            for constant in constants {
                made += operators.map { ("\(side) \($0) %@", [constant]) }
                made += operators.map { ("NOT \(side) \($0) %@", [constant]) }
                made += ["<", "=="].map { ("%@ \($0) \(side)", [constant]) }
                made.append(("\(side) BETWEEN {%@, 5}", [constant]))
                made.append(("\(side) BETWEEN {-5, %@}", [constant]))
                made.append(("\(side) BETWEEN %@", [[constant, constant]]))
                made.append(("NOT \(side) BETWEEN {-5, %@}", [constant]))
                made.append(("\(side) IN %@", [[constant, 7.25]]))
                made.append(("NOT \(side) IN %@", [[constant, 7.25]]))
            }
            for other in sides { made += operators.map { ("\(side) \($0) \(other)", []) } }
        }
        return made
    }

    private static func found(_ stack: Stack, _ predicate: NSPredicate) -> String {
        do {
            return try stack.newContext().all("Item", predicate).compactMap { $0.value(forKey: "name") as? String }
                .sorted().joined(separator: " ")
        } catch { return "refused" }
    }

    @Test("the same objects are found as in memory and in SQLite (PRD-10, MOD-15)", arguments: [true, false])
    func sameObjectsAreFound(keepsNaN: Bool) throws {
        let server = try Self.stack(
            .postgreSQL, try PostgresServer.shared.get().makeURL("notanumber"), keepsNaN: keepsNaN)
        // SQLite has no real that is not a number.
        let others = try [StoreKind.inMemory, .sqlite].prefix(keepsNaN ? 1 : 2).map {
            try Self.stack($0, nil, keepsNaN: keepsNaN)
        }
        var differences: [String] = []
        for (format, arguments) in Self.predicates {
            let predicate = try NSPredicate(parsing: format, arguments: arguments)
            let answer = Self.found(server, predicate)
            for (number, other) in others.enumerated() {
                let expected = Self.found(other, predicate)
                guard expected != answer else { continue }
                differences.append("\(format) \(arguments) [\(number)]: \(answer) for \(expected)")
            }
        }
        #expect(differences.isEmpty, "\(differences.count):\n\(differences.prefix(40).joined(separator: "\n"))")
    }
}
