import CoreData
import CoreDataWorkbench
import Testing

@Suite struct HistoryBoundTests {
    @Test func numbersAndDatesAreRead() {
        #expect(HistoryBound("17") == .number(17))
        #expect(HistoryBound("-1") == .number(-1))
        #expect(HistoryBound("2001-01-01") == .time(0))
        #expect(HistoryBound("2001-01-01T00:00:01.250Z") == .time(1.25))
        #expect(HistoryBound("@1.5") == .time(1.5))
        for text in ["", "x", "2001-13-01", "99999999999999999999"] { #expect(HistoryBound(text) == nil, "\(text)") }
    }

    @Test(
        "times have the digits of fraction that lead back to them",
        arguments: [
            (0, "2001-01-01T00:00:00.000Z"), (0.0004, "2001-01-01T00:00:00.000400Z"),
            (0.9996, "2001-01-01T00:00:00.999600Z"), (632_842_230.919_964, "2021-01-20T13:30:30.919964Z"),
            (-0.001, "@-0.001"), (.nan, "@nan"), (1e300, "@1e+300"),
        ] as [(Double, String)])
    func timesLeadBack(time: Double, text: String) {
        let transaction = HistoryTransaction(
            number: 1, time: time, author: nil, contextName: nil, bundleID: nil, processID: nil)
        #expect(transaction.timestamp == text)
        #expect(transaction.jsonStart.hasPrefix("{\"id\":1,\"timestamp\":\"\(text)\",\"author\":null,"))
    }
}
