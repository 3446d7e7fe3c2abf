import Foundation
import SwiftData

/// A hierarchy of model classes: a root with two subclasses, one of which has a subclass.
@Model
class Vehicle {
    #Index<Vehicle>([\.name])

    @Attribute(.unique) var plate: String
    var name: String
    var wheels = 4
    var kind: Kind = Kind.road
    private(set) var repairs = 0
    @Relationship(deleteRule: .cascade, inverse: \Wheel.vehicle) var spares: [Wheel] = []
    var driver: Driver?

    enum Kind: String, Codable { case road, water }

    var title: String { name }

    init(plate: String, name: String) {
        self.plate = plate
        self.name = name
    }

    func repair() { repairs += 1 }
    func describe() -> String { "vehicle \(name)" }
}

@Model
class Truck: Vehicle {
    var load: Double
    var note: String?
    let maker: String
    @Relationship(inverse: \Depot.trucks) var depot: Depot?

    init(plate: String, name: String, load: Double, maker: String = "M") {
        self.load = load
        self.maker = maker
        super.init(plate: plate, name: name)
        wheels = 6
    }

    override func describe() -> String { "truck \(name) with \(load)" }
}

/// Has no initializers of its own, and an inherited property in an index.
@Model
final class Boat: Vehicle {
    #Index<Boat>([\.draught], [\.name, \.draught])
    var draught = 1.5
    var harbour: String?
    var size: Size?

    struct Size: Codable, Equatable {
        var length: Double
        var beam: Double
    }
}

@Model
final class Tanker: Truck {
    var fluid: String

    override init(plate: String, name: String, load: Double, maker: String) {
        fluid = "water"
        super.init(plate: plate, name: name, load: load, maker: maker)
    }

    override func describe() -> String { "tanker of \(fluid)" }
}

@Model
final class Wheel {
    var size: Int
    var vehicle: Vehicle?
    init(size: Int) { self.size = size }
}

@Model
final class Driver {
    var name: String
    var vehicles: [Vehicle] = []
    init(name: String) { self.name = name }
}

@Model
final class Depot {
    var city: String
    var trucks: [Truck] = []
    init(city: String) { self.city = city }
}

/// A class with conformances of its own, and no superclass.
@Model
final class Badge: CustomStringConvertible {
    var code: String
    var description: String { "badge \(code)" }
    init(code: String) { self.code = code }
}
