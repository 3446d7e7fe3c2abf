import CoreData
import StoreContract
import TestBasics

/// A store of at most 64 kilobytes that Apple's framework wrote, and its model.
struct AppleStore {
    let name: String
    private let store: String
    private let model: String

    static let all = [
        AppleStore(
            name: "SampleModel3_V1",
            store: "coredataplus/Tests/Resources/SampleModel3/Fixtures/SampleModel3_V1.sqlite",
            model: "coredataplus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel"),
        AppleStore(
            name: "Model1", store: "objcio-issue4/BookMigration/Model1.sqlite",
            model: "objcio-issue4/BookMigration/Model.xcdatamodeld/Model1.xcdatamodel"),
        AppleStore(
            name: "SampleModel_V1", store: "coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite",
            model: "coredataplus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"),
    ]

    static func named(_ name: String) throws -> AppleStore {
        guard let store = all.first(where: { $0.name == name }) else { throw Failure("no store \(name)") }
        return store
    }

    /// The trials on a copy of the store.
    func trials() throws -> DamageTrials {
        let model = try NSManagedObjectModel(reading: Fixtures.url("stores/" + model))
        return try DamageTrials(of: Fixtures.copyOfStore("stores/" + store), model: model)
    }
}

extension DamageTrials {
    /// Changes the n-th byte by a mask that seed and place decide; every fourth copy is saved to as well. Nil behind the end.
    func flip(_ number: Int, seed: UInt64) throws -> TrialReport? {
        guard number <= length else { return nil }
        var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        let mask = UInt8(1 + random.next(below: 255))
        return try trial(.flip(offset: number - 1, mask: mask), writes: number % 4 == 0)
    }
}
