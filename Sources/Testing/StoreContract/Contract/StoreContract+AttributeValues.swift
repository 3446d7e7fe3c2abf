import CoreDataGraph
import Testing

extension StoreContract {
    /// The checks of attribute values: each sample is inserted, read, replaced by other values and nil, and deleted.
    static let attributeValues: [Clause] =
        AttributeSample.all.flatMap { sample in
            [
                Clause("\(sample.name) are read as they were inserted", needs: sample.needs) {
                    try ValueRun($0, sample).inserts()
                },
                Clause("\(sample.name) take each other's place", needs: sample.needs) {
                    try ValueRun($0, sample).replaces()
                },
                Clause("\(sample.name) become nil and come back", needs: sample.needs) {
                    try ValueRun($0, sample).clears()
                },
            ]
        } + [
            Clause("MOD-14: an object with a value of every type keeps all of them when one changes", changesOneOfMany),
            Clause("default values are stored in the form of their attributes", storesDefaults),
            Clause("MOD-22: a value that cannot be archived fails the save and stays", refusesUnarchivable),
            Clause("MOD-24: an undefined transient attribute holds any value and is not stored", leavesOutTransient),
        ]

    @Sendable private static func changesOneOfMany(_ store: ContractStore) throws {
        let samples = AttributeSample.all.filter {
            $0.key != "large" && store.kind.capabilities.isSuperset(of: $0.needs)
        }
        var values: [String: Any?] = [:]
        for sample in samples { values[sample.key] = sample.values[0] }
        var stack = try store.open(AttributeSample.model())
        stack.context.insert("Sample", values)
        try stack.context.save()
        for sample in samples {
            stack = try stack.reopened()
            values[sample.key] = sample.values[1]
            let object = try #require(try stack.context.all("Sample").first)
            object.setValue(sample.values[1], forKey: sample.key)
            try stack.context.save()
        }
        stack = try stack.reopened()
        let object = try #require(try stack.context.all("Sample").first)
        for (key, value) in values { #expect(AttributeSample.same(object.value(forKey: key), value), "\(key)") }
    }

    @Sendable private static func storesDefaults(_ store: ContractStore) throws {
        let model = AttributeSample.model()
        for sample in AttributeSample.all
        where sample.needs.isEmpty && !sample.key.hasPrefix("trans") && sample.key != "composite" {
            model.entitiesByName["Sample"]?.attributesByName[sample.key]?.defaultValue = sample.values[0]
        }
        var stack = try store.open(model)
        stack.context.insert("Sample")
        try stack.context.save()
        stack = try stack.reopened()
        let object = try #require(try stack.context.all("Sample").first)
        for (key, attribute) in object.entity.attributesByName where attribute.defaultValue != nil {
            #expect(AttributeSample.same(object.value(forKey: key), attribute.defaultValue), "\(key)")
        }
    }

    @Sendable private static func refusesUnarchivable(_ store: ContractStore) throws {
        final class Opaque {}
        var stack = try store.open(AttributeSample.model())
        let object = stack.context.insert("Sample", ["transformable": Opaque()])
        let error = #expect(throws: ValueRejection.self) { try stack.context.save() }
        #expect(error?.key == "transformable")
        #expect(object.isInserted)
        object.setValue(nil, forKey: "transformable")
        try stack.context.save()
        stack = try stack.reopened()
        #expect(try stack.context.all("Sample").count == 1)
    }

    @Sendable private static func leavesOutTransient(_ store: ContractStore) throws {
        var stack = try store.open(AttributeSample.model())
        let object = stack.context.insert("Sample", ["scratch": [1, 2]])
        #expect(object.value(forKey: "scratch") as? [Int] == [1, 2])
        try stack.context.save()
        #expect(object.value(forKey: "scratch") as? [Int] == [1, 2])
        stack = try stack.reopened()
        let again = try #require(try stack.context.all("Sample").first)
        #expect(again.value(forKey: "scratch") == nil)
    }
}

/// The steps of a check on saved objects that each have one value of a sample.
private final class ValueRun {
    private let sample: AttributeSample
    private var stack: Stack

    init(_ store: ContractStore, _ sample: AttributeSample) throws {
        self.sample = sample
        stack = try store.open(AttributeSample.model())
        for (number, value) in sample.values.enumerated() {
            stack.context.insert("Sample", ["number": number, sample.key: value])
        }
        try stack.context.save()
    }

    func inserts() throws {
        try expect(sample.values)
        try reopen()
        try expect(sample.values)
        for object in try objects() { stack.context.delete(object) }
        try stack.context.save()
        try reopen()
        #expect(try objects().isEmpty)
    }

    func replaces() throws {
        try reopen()
        let rotated = Array(sample.values.dropFirst() + sample.values.prefix(1))
        for (object, value) in zip(try objects(), rotated) { object.setValue(value, forKey: sample.key) }
        try expect(rotated)
        try stack.context.save()
        try expect(rotated)
        try reopen()
        try expect(rotated)
    }

    func clears() throws {
        try reopen()
        let nothing = sample.values.map { _ in Any?.none }
        for object in try objects() { object.setValue(nil, forKey: sample.key) }
        try stack.context.save()
        try expect(nothing)
        try reopen()
        try expect(nothing)
        for (object, value) in zip(try objects(), sample.values) { object.setValue(value, forKey: sample.key) }
        try stack.context.save()
        try reopen()
        try expect(sample.values)
    }

    private func reopen() throws { stack = try stack.reopened() }

    private func objects() throws -> [NSManagedObject] { try stack.context.all("Sample", nil, sortedBy: "number") }

    private func expect(_ values: [Any?]) throws {
        let objects = try objects()
        #expect(objects.count == values.count)
        for (number, (object, value)) in zip(objects, values).enumerated() {
            // `#expect` gets only the Boolean result, since it would print values, which may have megabytes.
            let isSame = AttributeSample.same(object.value(forKey: sample.key), value)
            #expect(isSame, "\(sample.key), value \(number)")
        }
    }
}
