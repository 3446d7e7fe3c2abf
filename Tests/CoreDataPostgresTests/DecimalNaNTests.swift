import CoreData
import StoreContract
import TestServers
import Testing

/// The decimal that is no number, which a server has above all numbers, is left out of extremes as in the other stores.
@Suite(
    "The decimal NaN on a server",
    .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct DecimalNaNServerTests {
    private func stack(_ kind: StoreKind, _ url: URL?) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Shelf", ["name": .stringAttributeType])
        builder.entity("Item", ["kind": .stringAttributeType, "price": .decimalAttributeType])
        builder.relationships("Shelf.items*", "Item.shelf")
        let stack = try url.map { try Stack(builder.model, url: $0, kind: kind) } ?? Stack(builder.model, kind: kind)
        for (name, texts) in [
            ("all", ["NaN", "NaN"]), ("mixed", ["NaN", "7", "-1", "NaN"]), ("plain", ["3", "4.25"]),
        ] {
            let shelf = stack.context.insert("Shelf", ["name": name])
            for text in texts {
                stack.context.insert("Item", ["kind": name, "price": NSDecimalNumber(string: text)])
                    .setValue(shelf, forKey: "shelf")
            }
        }
        try stack.context.save()
        return stack
    }

    @Test("extremes of members and of groups are those of the other stores (MOD-15)")
    func extremesOfMembersAndOfGroupsAreThoseOfOtherStores() throws {
        let stacks = [
            try stack(.inMemory, nil), try stack(.sqlite, nil),
            try stack(.postgreSQL, try PostgresServer.shared.get().makeURL("nan")),
        ]
        let formats = [
            "items.@max.price == 7", "items.@max.price > 4", "items.@max.price <= 7", "max:(items.price) < 5",
            "items.@min.price < 0", "items.@max.price == %@", "items.@min.price == %@", "items.@max.price != %@",
            "items.@min.price > 5", "items.@min.price >= 5", "5 < items.@min.price", "items.@max.price > 8",
            "items.@min.price < %@", "items.@min.price <= %@", "items.@min.price > %@", "items.@min.price >= %@",
            "items.@max.price <= %@", "NOT items.@min.price < %@", "items.@min.price BETWEEN {-9, %@}",
            "ANY items.price < %@", "ANY items.price <= %@", "ANY items.price >= %@", "ALL items.price >= %@",
            "items.@min.price <= items.@max.price", "items.@min.price < items.@max.price",
            "items.@min.price >= items.@max.price",
        ]
        for format in formats {
            let arguments = format.contains("%@") ? [NSDecimalNumber.notANumber] : []
            let predicate = NSPredicate(format: format, argumentArray: arguments)
            let found = try stacks.map { stack in
                try stack.newContext().all("Shelf", predicate).compactMap { $0.value(forKey: "name") as? String }
                    .sorted()
            }
            #expect(found[0] == found[1] && found[0] == found[2], "\(format): \(found)")
        }
        let columns = ["min", "max", "median"].map { function in
            let column = NSExpressionDescription()
            column.name = function
            column.expression = NSExpression(
                forFunction: "\(function):", arguments: [NSExpression(forKeyPath: "price")])
            column.expressionResultType = .decimalAttributeType
            return column
        }
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["kind"]
        request.propertiesToFetch = ["kind"] + columns
        request.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: true)]
        let rows = try stacks.map { stack in
            try stack.context.fetch(request).map { row in
                columns.map { (row[$0.name] as? NSNumber)?.stringValue ?? "nil" }
            }
        }
        #expect(rows[0] == rows[1] && rows[0] == rows[2], "\(rows)")
        #expect(rows[0][1] == ["-1", "7", "3"])
    }
}
