import CoreDataGraph
import StoreContract
import TestBasics
import Testing

/// `FETCH(request, context, …)` on a context with objects.
@MainActor
struct FetchExpressionTests {
    private func stack() throws -> Stack {
        let stack = try HeroModel.stack(.inMemory)
        for name in ["Ann", "Bob"] { stack.context.insert("Hero", ["name": name]) }
        try stack.context.save()
        return stack
    }

    @Test("FETCH has the objects that its request finds, or their number (PRD-27)")
    func fetchHasTheObjects() throws {
        let stack = try stack()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = NSPredicate(format: "name == 'Ann'")
        let variables: NSMutableDictionary = ["request": request, "context": stack.context]
        let found = NSExpression(format: "FETCH($request, $context, NO)")
            .expressionValue(with: nil, context: variables)
        #expect((found as? [NSManagedObject])?.map { $0.value(forKey: "name") as? String } == ["Ann"])
        let count = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: stack.context),
            countOnly: true)
        #expect(count.expressionValue(with: nil, context: nil) as? Int == 1)
        let names = NSPredicate(format: "name IN FETCH(%@, %@, NO).name", request, stack.context)
        #expect(try stack.context.all("Hero").filter { names.evaluate(with: $0) }.count == 1)
        request.resultType = .managedObjectIDResultType
        let identifiers = NSExpression(format: "FETCH(%@, %@, NO)", request, stack.context)
            .expressionValue(with: nil, context: nil)
        #expect((identifiers as? [NSManagedObjectID])?.count == 1)
    }

    @Test("a store refuses FETCH in a predicate, and a context anything but a request (PRD-27)")
    func storeRefusesFetch() throws {
        let stack = try stack()
        let predicate = NSPredicate(format: "FETCH($r, $c, YES) == 1")
        expectError(134060) { try stack.context.all("Hero", predicate) }
        let wrong: [String: Any] = ["r": "Hero", "c": stack.context]
        let error = #expect(throws: (any Error).self) { try evaluation(of: predicate, on: nil, variables: wrong) }
        #expect((error as NSError?)?.localizedDescription.contains("not a fetch request") == true)
    }
}
