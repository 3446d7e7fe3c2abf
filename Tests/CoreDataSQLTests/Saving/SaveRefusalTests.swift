import CoreDataSQL
import Testing

@Suite struct SaveRefusalTests {
    @Test("error 133021 names each constraint once, and no index without names")
    func namesOfConstraints() {
        let conflicts = [["b"], ["a", "c"], [], ["b"]].map { UniquenessConflict(constraint: $0, rows: [], holder: nil) }
        let error = SaveRefusal(outcome: .constraintConflicts(conflicts)).error
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError)
        #expect(error.localizedFailureReason == "Uniqueness conflict: a+c, b.")
        let unnamed = SaveRefusal.collision(of: [[]], row: "Row 3: ")
        #expect(unnamed.localizedDescription == "Row 3: Values that must be unique are there already.")
        #expect(unnamed.localizedFailureReason == nil)
    }
}
