import CoreData
import Foundation
import TestBasics
import Testing

@testable import SwiftData

/// Model classes that inherit from others.
@Suite struct InheritanceTests {
    private let folder: TemporaryFolder
    private let configuration: ModelConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = ModelConfiguration(url: folder.url.appending(path: "vehicles.store"))
    }

    private func open() throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Vehicle.self, Truck.self, Boat.self, Tanker.self, Badge.self, configurations: configuration))
    }

    private func fill(_ context: ModelContext) throws {
        context.insert(Vehicle(plate: "V1", name: "car"))
        let truck = Truck(plate: "T1", name: "hauler", load: 7.5, maker: "Saurer")
        truck.depot = Depot(city: "Bern")
        truck.spares = [Wheel(size: 22), Wheel(size: 23)]
        truck.driver = Driver(name: "Ada")
        context.insert(truck)
        let boat = Boat(plate: "B1", name: "gull")
        boat.kind = .water
        boat.size = Boat.Size(length: 9, beam: 3)
        boat.driver = truck.driver
        context.insert(boat)
        context.insert(Tanker(plate: "K1", name: "hauler", load: 20, maker: "Saurer"))
        context.insert(Badge(code: "x"))
        try context.save()
    }

    @Test func modelOfASubclassKeepsAllValuesBeforeInsertion() throws {
        let tanker = Tanker(plate: "K", name: "n", load: 3, maker: "m")
        #expect(tanker.fluid == "water" && tanker.load == 3 && tanker.plate == "K" && tanker.wheels == 6)
        tanker.repair()
        tanker.fluid = "milk"
        tanker.note = "full"
        let context = try open()
        context.insert(tanker as Vehicle)
        #expect(tanker.fluid == "milk" && tanker.note == "full" && tanker.repairs == 1 && tanker.maker == "m")
        #expect(tanker.persistentModelID.entityName == "Tanker")
        context.rollback()
        #expect(tanker.fluid == "milk" && tanker.load == 3 && tanker.plate == "K" && tanker.modelContext == nil)
        tanker.load = 4
        context.insert(tanker)
        try context.save()
        context.delete(tanker)
        try context.save()
        #expect(tanker.isDeleted && tanker.fluid == "milk" && tanker.load == 4 && tanker.name == "n")
    }

    @Test func fetchOfASuperclassReturnsSubclasses() throws {
        try fill(try open())
        let context = try open()
        let all = try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.plate)]))
        #expect(all.map(\.plate) == ["B1", "K1", "T1", "V1"])
        #expect(all.map { "\(type(of: $0))" } == ["Boat", "Tanker", "Truck", "Vehicle"])
        #expect(all.map { $0.describe() }[1...] == ["tanker of water", "truck hauler with 7.5", "vehicle car"])
        let trucks = try context.fetch(FetchDescriptor<Truck>(sortBy: [SortDescriptor(\.load, order: .reverse)]))
        #expect(trucks.map(\.load) == [20, 7.5] && trucks.map(\.maker) == ["Saurer", "Saurer"])
        #expect(trucks[1].depot?.city == "Bern" && trucks[1].spares.map(\.size) == [22, 23] && trucks[1].wheels == 6)
        let boat = try #require(all.first as? Boat)
        #expect(boat.draught == 1.5 && boat.size == Boat.Size(length: 9, beam: 3) && boat.kind == .water)
        #expect(boat.driver?.vehicles.count == 2 && trucks[1].driver?.vehicles.contains(boat) == true)
        #expect(try context.fetchCount(FetchDescriptor<Vehicle>()) == 4)
        #expect(try context.fetch(FetchDescriptor<Badge>()).map(\.description) == ["badge x"])
        boat.name = "tern"
        trucks[0].fluid(is: "oil")
        try context.save()
        let other = try open()
        let terns = try other.fetch(FetchDescriptor<Boat>(predicate: #Predicate { $0.name == "tern" }))
        #expect(terns.map(\.plate) == ["B1"])
    }

    @Test func schemaHasTheHierarchy() throws {
        let schema = Schema(Tanker.self, Boat.self)
        #expect(schema.entities.map(\.name) == ["Boat", "Depot", "Driver", "Tanker", "Truck", "Vehicle", "Wheel"])
        let truck = try #require(schema.entity(for: Truck.self))
        #expect(truck.superentityName == "Vehicle" && truck.subentities.map(\.name) == ["Tanker"])
        #expect(truck.inheritedPropertiesByName["plate"] != nil && truck.attributesByName["load"] != nil)
        #expect(truck.properties.map(\.name).suffix(4) == ["load", "note", "maker", "depot"])
        let model = schema.makeManagedObjectModel()
        let boat = try #require(model.entitiesByName["Boat"])
        #expect(boat.superentity?.name == "Vehicle" && boat.propertiesByName["driver"] != nil)
        #expect(boat.indexes.map(\.name) == ["SwiftDataIndexOnBinarydraught", "SwiftDataIndexOnBinarynamedraught"])
        #expect(boat.indexes.last?.elements.map(\.propertyName) == ["name", "draught"])
    }

    @Test func hashesEqualThoseOfACoreDataModelWithTheSameSubentities() throws {
        let vehicle = entity(
            "Vehicle",
            [
                attribute("plate", .stringAttributeType), attribute("name", .stringAttributeType),
                attribute("wheels", .integer64AttributeType), attribute("repairs", .integer64AttributeType),
            ])
        let bike = entity("Bike", [attribute("gears", .integer64AttributeType)])
        vehicle.uniquenessConstraints = [["plate"]]
        vehicle.subentities = [bike]
        let model = NSManagedObjectModel()
        model.entities = [vehicle, bike]
        let own = Schema(PlainVehicles.Bike.self).makeManagedObjectModel()
        #expect(own.entityVersionHashesByName == model.entityVersionHashesByName)
        let alone = Schema(PlainVehicles.Vehicle.self).makeManagedObjectModel()
        #expect(alone.entityVersionHashesByName["Vehicle"] == own.entityVersionHashesByName["Vehicle"])
    }

    private func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let made = NSEntityDescription()
        (made.name, made.properties) = (name, properties)
        return made
    }

    private func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let made = NSAttributeDescription()
        (made.name, made.attributeType, made.isOptional) = (name, type, false)
        return made
    }

    // MARK: Predicates

    /// Compares the answers of the store, of unsaved models and of Swift.
    private func check(
        _ predicate: Predicate<Vehicle>, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for configuration in [configuration, ModelConfiguration(isStoredInMemoryOnly: true)] {
            let container = try ModelContainer(
                for: Vehicle.self, Truck.self, Boat.self, Tanker.self, Badge.self, configurations: configuration)
            let context = ModelContext(container)
            if try context.fetchCount(FetchDescriptor<Vehicle>()) == 0 { try fill(context) }
            let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.plate)])
            let stored = try ModelContext(container).fetch(descriptor).map(\.plate)
            #expect(stored == expected, "the store", sourceLocation: sourceLocation)
            let all = try context.fetch(FetchDescriptor<Vehicle>())
            for vehicle in all { vehicle.repair() }
            let changed = try context.fetch(descriptor).map(\.plate)
            #expect(changed == expected, "changed models", sourceLocation: sourceLocation)
            let inSwift = try all.filter { try predicate.evaluate($0) }.map(\.plate).sorted()
            #expect(inSwift == expected, "Swift", sourceLocation: sourceLocation)
        }
    }

    @Test func predicateAsksForTheClass() throws {
        try check(#Predicate { $0 is Truck }, ["K1", "T1"])
        try check(#Predicate { !($0 is Truck) }, ["B1", "V1"])
        try check(#Predicate { $0 is Boat || $0.name == "car" }, ["B1", "V1"])
        try check(#Predicate { $0 is Tanker && $0.wheels == 6 }, ["K1"])
    }

    @Test func predicateCastsToASubclass() throws {
        try check(#Predicate { ($0 as? Truck)?.load == 7.5 }, ["T1"])
        try check(#Predicate { (($0 as? Truck)?.load ?? 0) > 5 }, ["K1", "T1"])
        try check(#Predicate { ($0 as? Truck)?.load != 7.5 }, ["B1", "K1", "V1"])
        try check(#Predicate { ($0 as? Truck)?.name == "hauler" }, ["K1", "T1"])
        try check(#Predicate { ($0 as? Boat)?.name == "hauler" || ($0 as? Boat)?.draught == 1.5 }, ["B1"])
        try check(#Predicate { ($0 as? Boat)?.size?.length == 9 }, ["B1"])
        try check(#Predicate { ($0 as? Truck)?.depot?.city == "Bern" }, ["T1"])
        try check(#Predicate { ($0 as? Truck) == nil }, ["B1", "V1"])
        try check(
            #Predicate { vehicle in
                if let truck = vehicle as? Truck { truck.load > 10 } else { vehicle.name == "gull" }
            }, ["B1", "K1"])
    }

    @Test func predicateCastsARelatedModel() throws {
        try fill(try open())
        let context = try open()
        let wheels = FetchDescriptor<Wheel>(
            predicate: #Predicate<Wheel> { ($0.vehicle as? Truck)?.load == 7.5 && $0.vehicle is Truck },
            sortBy: [SortDescriptor(\.size)])
        #expect(try context.fetch(wheels).map(\.size) == [22, 23])
        let none = FetchDescriptor<Wheel>(predicate: #Predicate { $0.vehicle is Boat })
        #expect(try context.fetchCount(none) == 0)
    }

    @Test func predicateOnASubclassSeesInheritedProperties() throws {
        try fill(try open())
        let context = try open()
        let light = #Predicate<Truck> { $0.name == "hauler" && $0.load < 10 }
        #expect(try context.fetch(FetchDescriptor(predicate: light)).map(\.plate) == ["T1"])
        let driven = #Predicate<Truck> { $0.driver?.name == "Ada" && $0.repairs == 0 }
        #expect(try context.fetch(FetchDescriptor(predicate: driven)).map(\.plate) == ["T1"])
        #expect {
            try context.fetch(FetchDescriptor<Boat>(predicate: #Predicate { $0.title == "x" }))
        } throws: {
            SwiftDataError.unsupportedPredicate ~= $0
        }
    }

    @Test func deletionMayLeaveSubclassesOut() throws {
        let context = try open()
        try fill(context)
        try context.delete(model: Truck.self, where: #Predicate { $0.name == "hauler" }, includeSubclasses: false)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Truck>()).map(\.plate) == ["K1"])
        try context.delete(model: Vehicle.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Vehicle>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Wheel>()) == 0)
    }

    @Test func historyAndIdentifiersAreOfTheSubclass() throws {
        let context = try open()
        try fill(context)
        let tanker = try #require(try context.fetch(FetchDescriptor<Tanker>()).first)
        (tanker.name, tanker.fluid) = ("renamed", "oil")
        try context.save()
        let last = try #require(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
        guard case .update(let update as DefaultHistoryUpdate<Tanker>) = last.changes.first else {
            Issue.record("The last transaction has no update of a tanker.")
            return
        }
        #expect(
            update.containsAttribute(\.fluid) && update.containsAttribute(\.name) && !update.containsAttribute(\.load))
        #expect(update.updatedAttributes.count == 2)
        let found = try open().model(for: tanker.persistentModelID)
        #expect((found as? Tanker)?.fluid == "oil" && (found as? Vehicle)?.name == "renamed")
    }

    @Test func inheritedConstraintHoldsForSubclasses() throws {
        let context = try open()
        context.insert(Vehicle(plate: "same", name: "a"))
        context.insert(Boat(plate: "same", name: "b"))
        #expect(throws: (any Error).self) { try context.save() }
    }
}

extension Truck {
    fileprivate func fluid(is fluid: String) { (self as? Tanker)?.fluid = fluid }
}

/// A hierarchy without relationships, for its hashes.
private enum PlainVehicles {
    @Model
    class Vehicle {
        @Attribute(.unique) var plate: String = ""
        var name: String = ""
        var wheels: Int = 4
        var repairs: Int = 0
        init() {}
    }

    @Model
    final class Bike: Vehicle {
        var gears: Int = 1
    }
}
