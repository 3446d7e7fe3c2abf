import Testing

@testable import CoreDataPostgres

/// What a replica must have that is to answer, by what is known of the server's log.
struct PrimaryPositionsTests {
    private let start = ContinuousClock.now
    private var positions = PrimaryPositions(greatestLag: .seconds(8))

    init() { positions.forget(at: start) }

    private func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private mutating func note(_ place: Int64, at seconds: Double, timeline: Int64 = 1, isFloor: Bool = false) {
        positions.note(LogPosition(timeline: timeline, place: place), askedAt: time(seconds), isFloor: isFloor)
    }

    private func place(at seconds: Double) -> Int64? { positions.required(at: time(seconds))?.place }

    @Test("the oldest position within the lag counts; without one the answer is unknown")
    mutating func oldestPositionWithinLagCounts() {
        #expect(place(at: 0) == nil)
        note(100, at: 1)
        note(200, at: 5)
        #expect(place(at: 9) == 100)
        #expect(place(at: 9.1) == 200)
        #expect(place(at: 13.1) == nil)
        #expect(!positions.isAging(at: time(6.9)) && positions.isAging(at: time(7)))
    }

    @Test("a save counts whatever the lag, until another is behind it")
    mutating func saveCountsWhateverLag() {
        note(100, at: 1)
        note(150, at: 2, isFloor: true)
        #expect(place(at: 3) == 150)
        note(140, at: 3, isFloor: true)
        #expect(place(at: 3) == 150)
        note(300, at: 9)
        #expect(place(at: 11.1) == 300)
    }

    @Test("after a save without position the server is asked first, later than the save")
    mutating func afterSaveWithoutPositionServerIsAskedFirst() {
        note(100, at: 1)
        positions.noteUnknown(at: time(2))
        #expect(place(at: 2) == nil)
        note(110, at: 1.9)
        #expect(place(at: 2) == nil)
        note(120, at: 2.1)
        #expect(place(at: 3) == 120)
    }

    @Test("the last save on the present timeline is included, and none of a former one")
    mutating func lastSaveOnPresentTimelineIsIncluded() {
        let save = LogPosition.MarkedSave(writer: "w", number: 3)
        positions.note(LogPosition(timeline: 1, place: 100, save: save), askedAt: time(1), isFloor: true)
        note(200, at: 2)
        #expect(positions.required(at: time(3))?.save == save)
        note(50, at: 3, timeline: 2)
        #expect(place(at: 3) == 50 && positions.required(at: time(3))?.save == nil)
    }

    @Test("positions of a former timeline count no more, and those that come late not at all")
    mutating func positionsOfFormerTimelineCountNoMore() {
        note(500, at: 1, isFloor: true)
        note(200, at: 2, timeline: 2)
        #expect(place(at: 3) == 200 && positions.required(at: time(3))?.timeline == 2)
        note(600, at: 3)
        #expect(place(at: 3) == 200)
        positions.forget(at: time(4))
        note(300, at: 3.9, timeline: 2)
        #expect(place(at: 4) == nil)
        note(50, at: 4.1)
        #expect(place(at: 5) == 50)
    }
}
