import CoreData
import StoreContract
import Testing

/// What dictionaries cannot have, told before a store is asked, in the same words by every store.
@Suite struct ValueRefusalTests {
    private static var refusals: [(title: String, request: NSFetchRequest<NSDictionary>, hint: String)] {
        [
            ("transient", values("Person", properties: ["nick"]), "nick"),
            (
                "transient in a path",
                values("Department", properties: [column("x", function: "max:", path: "people.nick")]), "nick"
            ),
            (
                "transient in a predicate",
                values("Person", properties: ["name"]) { $0.predicate = NSPredicate(format: "nick == 'a'") }, "nick"
            ),
            (
                "transient in a sort",
                values("Person", properties: ["name"]) {
                    $0.sortDescriptors = [NSSortDescriptor(key: "nick", ascending: true)]
                },
                "nick"
            ),
            ("unknown", values("Person", properties: ["nam"]), "name"),
            ("to-many", values("Department", properties: ["people"]), "people"),
            ("to-many path", values("Department", properties: ["people.name"]), "people"),
            (
                "neither grouped nor aggregated",
                values("Person", properties: ["name", column("n", function: "count:", path: "age")]), "name"
            ),
            ("not in the groups", values("Person", properties: ["name", "sex"], by: ["sex"]), "name"),
            (
                "a sort outside the groups",
                values("Person", properties: ["sex"], by: ["sex"]) {
                    $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
                }, "age"
            ),
            (
                "having outside the groups",
                values("Person", properties: ["sex"], by: ["sex"]) {
                    $0.havingPredicate = NSPredicate(format: "age > 3")
                }, "age"
            ),
            (
                "having without groups",
                values("Person", properties: ["sex"]) { $0.havingPredicate = NSPredicate(format: "sex == 'a'") },
                "propertiesToGroupBy"
            ),
            (
                "an aggregate of an aggregate",
                values("Person", properties: [column("x", NSExpression(format: "max(sum(age))"))]),
                "sum"
            ),
            ("a group by a composite", values("Person", properties: ["home"], by: ["home"]), "home"),
            (
                "a distinct result sorted by another",
                values("Person", properties: ["name"]) {
                    $0.returnsDistinctResults = true
                    $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
                }, "age"
            ),
            ("something else", values("Person", properties: [5]), "Int"),
            (
                "a block",
                values("Person", properties: [column("x", NSExpression(block: { _, _, _ in 1 }, arguments: nil))]),
                "Swift"
            ),
        ]
    }

    @Test("what cannot be fetched is an error that names it (FET-20, FET-15, HAZ-55)", arguments: StoreKind.all)
    func refusalsNameWhatIsWrong(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind, people: 3)
        for refusal in Self.refusals {
            do {
                let found = try stack.context.fetch(refusal.request)
                Issue.record("\(refusal.title): gave \(found.count) rows")
            } catch {
                let text =
                    (error as NSError).localizedDescription + ((error as NSError).localizedRecoverySuggestion ?? "")
                #expect(text.contains(refusal.hint), "\(refusal.title): \(text)")
                #expect((error as NSError).code == NSCoreDataError, "\(refusal.title)")
            }
        }
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Test("a result of another type than declared is an error that names the column (FET-15)", arguments: StoreKind.all)
    func wrongDeclaredType(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind, people: 3)
        let request = values(
            "Department", properties: [column("wrong", type: .dateAttributeType, function: "max:", path: "name")])
        let error = #expect(throws: NSError.self) { try stack.context.fetch(request) }
        #expect(error?.localizedDescription.contains("wrong") == true)
    }
}
