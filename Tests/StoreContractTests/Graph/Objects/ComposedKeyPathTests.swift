import CoreData
import StoreContract
import Testing

/// Swift key paths that lead through a related object, and to the object itself.
@Suite(.timeLimit(.minutes(5))) struct ComposedKeyPathTests {
    private func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try ObservedModel.stack(kind)
        for (number, year) in [(1.0, 30.0), (2, 10), (3, 20)] {
            let person = stack.context.insert("Pupil", ["dateOfBirth": Date(timeIntervalSinceReferenceDate: year)])
            stack.context.insert("Loan", ["principal": number, "debtor": person])
        }
        stack.context.insert("Loan", ["principal": 4.0])
        try stack.context.save()
        return stack
    }

    private func principals(_ stack: Stack, _ predicate: NSPredicate?, _ sort: NSSortDescriptor) throws -> [Double] {
        let request = NSFetchRequest<Loan>(entityName: "Loan")
        request.predicate = predicate
        request.sortDescriptors = [sort]
        return try stack.context.fetch(request).map(\.principal)
    }

    @Test("Key paths of two steps have names")
    func twoStepsHaveNames() {
        #expect(Loan.key(of: \Loan.debtor?.dateOfBirth) == "debtor.dateOfBirth")
        #expect(Loan.key(of: \Loan.debtor?.yearOfBirth) == "debtor.yearOfBirth")
        #expect(Loan.key(of: \Loan.debtor!.dateOfBirth) == "debtor.dateOfBirth")
        #expect(Loan.key(of: \Loan.debtor) == "debtor" && Loan.key(of: \Loan.principal) == "principal")
        #expect(Loan.key(of: \Loan.self) == "self" && Pupil.key(of: \Pupil.self) == "self")
        #expect(Pupil.key(of: \Pupil.dateOfBirth) == "dateOfBirth")
    }

    @Test("Key paths through what no table names have no name")
    func othersHaveNone() {
        #expect(Loan.key(of: \Loan.debtor?.dateOfBirth?.timeIntervalSinceReferenceDate) == nil)
        #expect(Loan.key(of: \Loan.debtor?.entity) == nil && Loan.key(of: \Loan.objectID) == nil)
        #expect(Loan.key(of: \String.count) == nil && NSManagedObject.key(of: \Any.self) == nil)
    }

    @Test("stores sort and filter by them (PRD-27)", arguments: StoreKind.all)
    func storesSortAndFilter(kind: StoreKind) throws {
        let stack = try stack(kind)
        let byBirth = NSSortDescriptor(keyPath: \Loan.debtor?.dateOfBirth, ascending: true)
        #expect(try principals(stack, nil, byBirth) == [4, 2, 3, 1])
        let old = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: \Loan.debtor?.dateOfBirth),
            rightExpression: NSExpression(forConstantValue: Date(timeIntervalSinceReferenceDate: 15)),
            modifier: .direct,
            type: .greaterThan)
        #expect(old.leftExpression.keyPath == "debtor.dateOfBirth")
        #expect(try principals(stack, old, byBirth) == [3, 1])
        let key = NSSortDescriptor(keyPath: \Loan.self, ascending: false) { _, _ in .orderedSame }
        #expect(key.keyPath == \Loan.self)
    }

    @Test("a path of two steps is observed (KVC-11)", arguments: StoreKind.all)
    func twoStepsAreObserved(kind: StoreKind) throws {
        let stack = try stack(kind)
        let loan = try #require(try stack.context.all("Loan", sortedBy: "principal").first as? Loan)
        var seen: [Date??] = []
        let observation = loan.observe(\.debtor?.dateOfBirth, options: [.new]) { _, change in
            seen.append(change.newValue)
        }
        loan.debtor?.dateOfBirth = Date(timeIntervalSinceReferenceDate: 5)
        loan.debtor = nil
        #expect(seen.count == 2)
        observation.invalidate()
    }
}
