import CoreData
import StoreContract
import Testing

/// What aggregates make of the decimal that is no number: extremes and the median leave it out unless it is alone.
@Suite struct DecimalNaNAggregateTests {
    private static let functions = ["min", "max", "median", "mode", "sum", "average", "stddev"]

    private func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Shelf", ["name": .stringAttributeType])
        builder.entity("Item", ["kind": .stringAttributeType, "price": .decimalAttributeType])
        builder.relationships("Shelf.items*", "Item.shelf")
        let stack = try Stack(builder.model, kind: kind)
        let shelves = ["all", "mixed", "plain"].map { stack.context.insert("Shelf", ["name": $0]) }
        let prices = [["NaN", "NaN"], ["NaN", "7", "-1", "NaN", "2.5", "NaN"], ["3", "4.25"]]
        for (shelf, texts) in zip(shelves, prices) {
            for text in texts {
                let item = stack.context.insert(
                    "Item", ["kind": shelf.value(forKey: "name"), "price": NSDecimalNumber(string: text)])
                item.setValue(shelf, forKey: "shelf")
            }
        }
        try stack.context.save()
        return stack
    }

    private func text(_ value: Any?) -> String { (value as? NSNumber)?.stringValue ?? "nil" }

    @Test("of groups (MOD-15, FET-20)", arguments: StoreKind.all)
    func ofGroups(kind: StoreKind) throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["kind"]
        let columns = Self.functions.map { function in
            let column = NSExpressionDescription()
            column.name = function
            column.expression = NSExpression(
                forFunction: "\(function):", arguments: [NSExpression(forKeyPath: "price")])
            column.expressionResultType = function == "stddev" ? .doubleAttributeType : .decimalAttributeType
            return column
        }
        request.propertiesToFetch = ["kind"] + columns
        request.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: true)]
        let rows = try stack(kind).context.fetch(request).map { row in Self.functions.map { text(row[$0]) } }
        #expect(rows[0].prefix(2) == ["NaN", "NaN"] && rows[0][3] == "NaN")
        #expect(rows[1].prefix(3) == ["-1", "7", "2.5"])
        #expect(rows[2].prefix(6) == ["3", "4.25", "3.625", "3", "7.25", "3.625"])
        for row in rows.prefix(2) { #expect(row.suffix(3) == ["nil", "nil", "nil"]) }
    }

    @Test("of members, in predicates and of objects in memory (MOD-15, FET-15)", arguments: StoreKind.all)
    func ofMembersInPredicatesAndOfObjectsInMemory(kind: StoreKind) throws {
        let stack = try stack(kind)
        for (format, wanted) in [
            ("items.@max.price == 7", ["mixed"]), ("items.@min.price == -1", ["mixed"]),
            ("items.@max.price > 4", ["mixed", "plain"]), ("max:(items.price) < 5", ["plain"]),
            ("items.@max.price == %@", ["all"]), ("items.@min.price == %@", ["all"]),
        ] {
            let predicate = NSPredicate(format: format, argumentArray: [NSDecimalNumber.notANumber])
            let found = try stack.context.all("Shelf", predicate).compactMap { $0.value(forKey: "name") as? String }
            #expect(found.sorted() == wanted, "\(format)")
            let held = try stack.context.all("Shelf").filter(predicate.evaluate)
            #expect(held.compactMap { $0.value(forKey: "name") as? String }.sorted() == wanted, "\(format) in memory")
        }
    }
}
