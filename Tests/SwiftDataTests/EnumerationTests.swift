import Foundation
import SQLiteKit
import SwiftData
import TestBasics
import Testing

/// Enumerations and structures as values, in predicates, and after their types have changed.
@Suite struct EnumerationTests {
    private typealias State = Reading.State
    private let folder: TemporaryFolder
    private let configuration: ModelConfiguration
    private static var states: [State] {
        [
            .calm, .wind(speed: 3.5, from: .north), .rain(7), .both(.rain(1), .wind(speed: 0.1, from: .south)),
            .unknown,
        ]
    }

    init() throws {
        folder = try TemporaryFolder()
        configuration = ModelConfiguration(url: folder.url.appending(path: "readings.store"))
    }

    private func open() throws -> ModelContext {
        ModelContext(try ModelContainer(for: Reading.self, configurations: configuration))
    }

    private func fill(_ context: ModelContext) throws {
        for (number, state) in Self.states.enumerated() {
            let reading = Reading(number: number, state: state)
            reading.last = number == 0 ? nil : Self.states[number - 1]
            reading.sky = number % 2 == 0 ? .clear : .cloudy
            reading.level = [nil, .low, .high][number % 3]
            reading.states = Array(Self.states.prefix(number))
            reading.levels = [.high, .low]
            reading.report = Reading.Report(
                state: state, sky: .cloudy, level: .high,
                inner: .init(states: [state, .calm], direction: number == 1 ? .south : nil))
            reading.detail = number == 2 ? reading.report : nil
            context.insert(reading)
        }
        try context.save()
    }

    @Test func casesWithAssociatedValuesComeBack() throws {
        try fill(try open())
        let context = try open()
        let readings = try context.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.number)]))
        #expect(readings.map(\.state) == Self.states)
        #expect(readings.map(\.last) == [nil] + Self.states.dropLast())
        #expect(readings.map(\.report?.state) == Self.states && readings[1].report?.inner.direction == .south)
        #expect(
            readings[3].report?.inner.states == [Self.states[3], .calm]
                && readings[3].states == Array(Self.states[..<3]))
        #expect(readings.map(\.level) == [nil, .low, .high, nil, .low] && readings[0].levels == [.high, .low])
        #expect(readings[2].detail == readings[2].report && readings[1].detail == nil)
        readings[0].state = .rain(9)
        readings[1].state = .calm
        try context.save()
        let other = try open()
        let again = try other.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.number)]))
        #expect(again[0].state == .rain(9) && again[1].state == .calm)
    }

    @Test func eachCaseHasAColumn() throws {
        try fill(try open())
        let connection = try Connection.open(configuration.url.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        let columns = try connection.rows("SELECT name FROM pragma_table_info('ZREADING')").compactMap {
            row -> String? in
            if case .text(let name) = row[0] { name } else { nil }
        }
        #expect(Set(columns).isSuperset(of: ["ZCALM", "ZWIND", "ZRAIN", "ZBOTH", "ZUNKNOWN"]))
        let rows = try connection.rows(
            "SELECT ZCALM1, CAST(ZRAIN1 AS TEXT) FROM ZREADING WHERE ZNUMBER IN (0, 2) ORDER BY 1")
        #expect(rows.map { [$0[0], $0[1]] } == [[.null, .text("{\"rain\":{\"_0\":7}}")], [.text("calm"), .null]])
    }

    @Test func predicatesCompareEnumerations() throws {
        let context = try open()
        try fill(context)
        let reader = try open()
        func numbers(_ predicate: Predicate<Reading>) throws -> [Int] {
            let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])
            let found = try reader.fetch(descriptor).map(\.number)
            let all = try reader.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.number)]))
            #expect(try all.filter { try predicate.evaluate($0) }.map(\.number) == found)
            return found
        }
        let (calm, rain, cloudy, high) = (State.calm, State.rain(7), Reading.Sky.cloudy, Reading.Level.high)
        #expect(try numbers(#Predicate { $0.state == calm }) == [0])
        #expect(try numbers(#Predicate { $0.state == rain || $0.last == rain }) == [2, 3])
        #expect(try numbers(#Predicate { $0.state != rain }) == [0, 1, 3, 4])
        #expect(try numbers(#Predicate { $0.sky == cloudy }) == [1, 3])
        #expect(try numbers(#Predicate { $0.sky != cloudy && $0.level == high }) == [2])
        #expect(try numbers(#Predicate { $0.last == nil || $0.level != high }) == [0, 1, 3, 4])
        let (some, levels) = ([State.unknown, .rain(7)], [Reading.Level.low, .high])
        #expect(try numbers(#Predicate { some.contains($0.state) }) == [2, 4])
        #expect(try numbers(#Predicate { $0.report?.state == rain && $0.report?.level == high }) == [2])
        let optional: Reading.Level? = nil
        #expect(try numbers(#Predicate { $0.level == optional }) == [0, 3])
        #expect(levels.count == 2)
    }

    @Test func newMembersOfAStructureTakeDefaults() throws {
        do {
            let context = ModelContext(try ModelContainer(for: StationV1.Station.self, configurations: configuration))
            let station = StationV1.Station(name: "A")
            station.place.city = "Chur"
            station.other = StationV1.Station.Place(city: "Bern")
            station.visits = [.init(who: "Ada"), .init(who: "Bob")]
            context.insert(station)
            try context.save()
        }
        let later = ModelContext(try ModelContainer(for: StationV2.Station.self, configurations: configuration))
        let found = try #require(try later.fetch(FetchDescriptor<StationV2.Station>()).first)
        #expect(
            found.place
                == .init(city: "Chur", height: 400, kind: .valley, note: nil, tags: ["a"], point: .init(x: 1)))
        #expect(
            found.other
                == .init(city: "Bern", height: 0, kind: .summit, note: nil, tags: [], point: .init(x: 0)))
        #expect(found.visits.map(\.who) == ["Ada", "Bob"] && found.visits.map(\.count) == [0, 0])
        #expect(found.visits.map(\.kind) == [.summit, .summit] && found.visits[1].at == .init(x: 0))
        found.place.height = 5
        try later.save()
        #expect(found.place.height == 5)
    }
}
