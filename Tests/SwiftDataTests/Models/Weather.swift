import Foundation
import SwiftData

/// Enumerations of all kinds, alone and within structures and lists.
@Model
final class Reading {
    var number: Int
    var state: State
    var last: State?
    var sky = Sky.clear
    var level: Level?
    var report: Report?
    var states: [State] = []
    var levels: [Level] = []
    @Attribute(.codable) var detail: Report?

    enum State: Codable, Equatable {
        case calm
        case wind(speed: Double, from: Direction)
        case rain(Int)
        indirect case both(State, State)
        case unknown
    }
    enum Direction: String, Codable { case north, south }
    enum Sky: Codable { case clear, cloudy }
    enum Level: Int, Codable {
        case low = 1
        case high = 5
    }
    struct Report: Codable, Equatable {
        var state: State
        var sky: Sky
        var level: Level
        var inner: Inner
    }
    struct Inner: Codable, Equatable {
        var states: [State]
        var direction: Direction?
    }

    init(number: Int, state: State) {
        self.number = number
        self.state = state
    }
}

/// Two versions of a structure: members are added.
enum StationV1 {
    @Model
    final class Station {
        var name: String
        var place = Place(city: "none")
        var other: Place?
        var visits: [Visit] = []
        struct Place: Codable, Equatable { var city: String }
        struct Visit: Codable, Equatable { var who: String }
        init(name: String) { self.name = name }
    }
}

enum StationV2 {
    @Model
    final class Station {
        var name: String
        var place = Place(city: "none", height: 400, kind: .valley, note: "new", tags: ["a"], point: .init(x: 1))
        var other: Place?
        var visits: [Visit] = []

        enum Kind: String, Codable, CaseIterable { case summit, valley }
        enum Mood: Codable { case fine, bad }
        struct Point: Codable, Equatable { var x: Double }
        struct Place: Codable, Equatable {
            var city: String
            var height: Int
            var kind: Kind
            var note: String?
            var tags: [String]
            var point: Point
        }
        struct Visit: Codable, Equatable {
            var who: String
            var count: Int
            var kind: Kind
            var mood: Mood
            var at: Point
            var link: URL?
        }
        init(name: String) { self.name = name }
    }
}
