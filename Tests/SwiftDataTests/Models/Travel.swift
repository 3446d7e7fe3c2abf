import Foundation
import SwiftData

@Model
final class Trip {
    #Unique<Trip>([\.code])
    #Index<Trip>([\.name], [\.name, \.start])

    var code: String
    var name: String
    var start: Date
    var budget: Decimal?
    var rating = 3
    var isPublic: Bool = false
    private(set) var visits: Int = 0
    var kind: Kind = Kind.leisure
    var mood: Mood?
    var place: Place?
    var tags: [String] = []
    var identifier = UUID()
    var site: URL?
    @Attribute(.externalStorage) var photo: Data?
    @Attribute(.ephemeral) var draft: String?
    @Transient var scratch = 7
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    var owner: Owner?

    enum Kind: String, Codable { case leisure, work }
    enum Mood: Codable { case happy, sad }
    struct Place: Codable, Equatable {
        var city: String
        var latitude: Double
        var notes: [Note]
        var altitude: Int?
    }
    struct Note: Codable, Equatable { var text: String }

    var title: String { "\(name) (\(code))" }
    static let limit = 10

    init(code: String, name: String, start: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        self.code = code
        self.name = name
        self.start = start
    }

    func visit() { visits += 1 }
}

@Model
final class Stop {
    var name: String
    var nights: Int
    var trip: Trip?

    init(name: String, nights: Int = 1) {
        self.name = name
        self.nights = nights
    }
}

@Model
final class Owner {
    var name: String
    var age: Int?
    var trips: [Trip]

    init(name: String, age: Int? = nil) {
        self.name = name
        self.age = age
        self.trips = []
    }
}
