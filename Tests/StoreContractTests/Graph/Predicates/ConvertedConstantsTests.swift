import CoreData
import StoreContract
import Testing

/// Constants of another type than the attribute's, in fetches of every kind of store and of unsaved objects.
///
/// Evidence for Apple's: CoreDataPlus's tests fetch a text attribute `IN [9, 10, 11]` and find three; RestKit's issue 758
/// tells of numeric attributes compared with texts that the SQLite store finds. MagicalRecord's issue 696 shows a date
/// compared with a text raise in the store's binding.
@Suite(.timeLimit(.minutes(5))) struct ConvertedConstantsTests {
    /// Two samples in the store and two that are not saved.
    private func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(SampleModel.make(), kind: kind)
        for number in [9, 10] { insert(number, into: stack) }
        try stack.context.save()
        for number in [11, 12] { insert(number, into: stack) }
        return stack
    }

    private func insert(_ number: Int, into stack: Stack) {
        let date = Date(timeIntervalSinceReferenceDate: Double(number))
        stack.context.insert(
            "Sample",
            [
                "string": "\(number)", "int64": number, "double": Double(number) / 2, "flag": number == 9, "date": date,
                "decimal": NSDecimalNumber(value: number),
            ])
    }

    private func found(_ stack: Stack, _ format: String, _ arguments: Any?...) throws -> [Int] {
        let request = NSFetchRequest<Sample>(entityName: "Sample")
        request.predicate = try NSPredicate(parsing: format, arguments: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: "int64", ascending: true)]
        let objects = try stack.context.fetch(request).map(\.int)
        #expect(try stack.context.count(for: request) == objects.count)
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Sample")
        dictionaries.resultType = .dictionaryResultType
        dictionaries.predicate = request.predicate
        #expect(try stack.context.fetch(dictionaries).count == objects.filter { $0 < 11 }.count)
        return objects
    }

    @Test("numbers find the texts that they are, in lists and alone (PRD-08)", arguments: StoreKind.all)
    func numbersFindTexts(kind: StoreKind) throws {
        let stack = try stack(kind)
        #expect(try found(stack, "string IN %@", [9, 11, 13]) == [9, 11])
        #expect(try found(stack, "string IN %@", NSArray(array: [NSNumber(value: 9), "12"])) == [9, 12])
        #expect(try found(stack, "string IN {9, '12'}") == [9, 12])
        #expect(try found(stack, "string == 10 OR 12 == string") == [10, 12])
        #expect(try found(stack, "string != 10") == [9, 11, 12])
        #expect(try found(stack, "NOT string IN %@", [9, 10]) == [11, 12])
    }

    @Test("texts of numbers find numbers, in every comparison (PRD-08)", arguments: StoreKind.all)
    func textsFindNumbers(kind: StoreKind) throws {
        let stack = try stack(kind)
        #expect(try found(stack, "int64 == '10'") == [10])
        #expect(try found(stack, "int64 > '10' AND double < '6'") == [11])
        #expect(try found(stack, "double == '4.5' OR decimal == '12'") == [9, 12])
        #expect(try found(stack, "int64 BETWEEN {'10', '11'}") == [10, 11])
        #expect(try found(stack, "int64 IN %@", ["9", "12"]) == [9, 12])
        #expect(try found(stack, "flag == '1'") == [9])
    }

    @Test("what is of another kind is unequal and in no order, as it is in memory (PRD-08)", arguments: StoreKind.all)
    func othersAreUnequal(kind: StoreKind) throws {
        let stack = try stack(kind)
        for format in [
            "date > '2000-01-01'", "date == '2001-01-01'", "date > 0", "flag == 'YES'", "int64 == 'x'", "string > 5",
            "int64 == 'nan'", "int64 == '0x9'", "self == 'x-coredata://A/Sample/p1'", "uuid == 'a'", "string == double",
        ] { #expect(try found(stack, format).isEmpty, "\(format)") }
        #expect(try found(stack, "date != '2000-01-01'") == [9, 10, 11, 12])
    }

    @Test(
        "a fetched results controller places unsaved objects by the converted constant (FRC-03)",
        arguments: StoreKind.all)
    func controllerConverts(kind: StoreKind) throws {
        let stack = try stack(kind)
        let request = NSFetchRequest<Sample>(entityName: "Sample")
        request.predicate = NSPredicate(format: "string IN %@", [9, 13])
        request.sortDescriptors = [NSSortDescriptor(key: "int64", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = Listening()
        controller.delegate = delegate
        try controller.performFetch()
        insert(13, into: stack)
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects?.map(\.int) == [9, 13] && delegate.count == 1)
    }

    /// Without a delegate a controller follows no changes.
    private final class Listening: NSFetchedResultsControllerDelegate {
        private(set) var count = 0
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { count += 1 }
    }

    @Test("a batch request converts as a fetch does (PRD-08)")
    func batchConverts() throws {
        let stack = try stack(.sqlite)
        let update = NSBatchUpdateRequest(entityName: "Sample")
        update.predicate = NSPredicate(format: "string IN %@", [9])
        update.propertiesToUpdate = ["double": 100.0]
        update.resultType = .updatedObjectsCountResultType
        #expect((try stack.context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
        let deletion = NSBatchDeleteRequest(
            fetchRequest: {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Sample")
                request.predicate = NSPredicate(format: "int64 == '9'")
                return request
            }())
        deletion.resultType = .resultTypeCount
        #expect((try stack.context.execute(deletion) as? NSBatchDeleteResult)?.result as? Int == 1)
    }

    @Test("a comparison that is never true is described in words, without values (PRD-10)")
    func notesNameTheComparison() throws {
        let model = SampleModel.make()
        let entity = try #require(model.entitiesByName["Sample"])
        func notes(_ format: String) -> [String] { FetchPredicate(NSPredicate(format: format), of: entity).notes }
        #expect(notes("date > 'secret' AND date > 'other'") == ["Sample.date >: a date is never equal to a text"])
        #expect(notes("NOT (string == double)") == ["Sample.string ==: a text is never equal to a number"])
        #expect(notes("self IN {'a', 'b'}") == ["Sample IN: an object is never equal to a text"])
        #expect(
            notes("date == nil AND string IN {1} AND int64 > '3' AND archived == 'x' AND string CONTAINS 'a'").isEmpty)
    }

    @Test("a predicate that needs no conversion stays the same, and deep nesting is safe (PRD-08)")
    func othersStay() throws {
        let entity = try #require(SampleModel.make().entitiesByName["Sample"])
        let plain = NSPredicate(format: "string == 'a' AND (int64 > 3 OR date < %@)", Date())
        #expect(FetchPredicate(plain, of: entity).predicate === plain)
        var deep = NSPredicate(format: "string == 9")
        for _ in 0..<20_000 { deep = NSCompoundPredicate(notPredicateWithSubpredicate: deep) }
        #expect(FetchPredicate(deep, of: entity).predicate === deep)
        // Taken apart from the outside, since the ends of nested objects are nested too.
        while let compound = deep as? NSCompoundPredicate { deep = compound.subpredicates[0] }
    }
}
