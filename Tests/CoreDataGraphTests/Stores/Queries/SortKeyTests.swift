import Foundation
import Testing

@testable import CoreDataStore

/// What objects and rows are sorted by.
@Suite struct SortKeyTests {
    @Test("a date read by key compares with the number that a row has for it")
    func datesCompareWithNumbers() throws {
        let date = SortKey(Date(timeIntervalSinceReferenceDate: 2))
        #expect(try date.order(to: .real(1), by: .standard) == .orderedDescending)
        #expect(try SortKey.real(1).order(to: date, by: .standard) == .orderedAscending)
        #expect(try date.order(to: .real(2), by: .standard) == .orderedSame)
    }
}
