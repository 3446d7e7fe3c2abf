import CoreData
import StoreContract
import TestBasics
import Testing

/// Rows, groups and aggregates over the stores of one coordinator are what one store with all rows gives.
@Suite struct ValuesOfSeveralStoresTests {
    private static func stack(_ kind: StoreKind, stores: Int, seed: UInt64) throws -> Stack {
        let stack = try Stack(ValueModel.make(), kind: kind)
        for number in 1..<stores {
            let url = stack.url.deletingLastPathComponent().appendingPathComponent("Test \(number).sqlite")
            try stack.coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        }
        var random = SeededRandom(seed: seed)
        for number in 0..<50 {
            let person = ValueModel.person(number, random: &random, context: stack.context)
            stack.context.assign(person, to: stack.coordinator.persistentStores[number % 3 % stores])
        }
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    @Test(
        "three stores give what one with all rows gives (FET-28, FET-15, FET-17, FET-19)", .timeLimit(.minutes(20)),
        arguments: StoreKind.all)
    func severalStoresAreOne(kind: StoreKind) throws {
        let (one, three) = (try Self.stack(kind, stores: 1, seed: 5), try Self.stack(kind, stores: 3, seed: 5))
        var maker = ValueRequestMaker(random: SeededRandom(seed: 31))
        var (compared, groups) = (0, 0)
        for _ in 0..<200 {
            let request = maker.request()
            // Identifiers differ, and where rows are equal in all that they are sorted by pages may differ too.
            (request.fetchLimit, request.fetchOffset) = (0, 0)
            guard !ValueRequestMaker.text(request).contains("calculated: SELF") else { continue }
            let (left, right) = (
                ValueOutcome(one, request), ValueOutcome(three, request)
            )
            #expect(left == right, "\(ValueRequestMaker.text(request))")
            compared += 1
            if request.propertiesToGroupBy?.isEmpty == false { groups += 1 }
        }
        #expect(compared > 120 && groups > 40)
        #expect(three.context.registeredObjects.isEmpty)
    }

    @Test(
        "pages over several stores are in one order, and affectedStores restricts them (FET-28)",
        arguments: StoreKind.all)
    func pagesOverStores(kind: StoreKind) throws {
        let stack = try Self.stack(kind, stores: 3, seed: 9)
        let request = values("Person", properties: ["name", "age"]) {
            $0.sortDescriptors = [
                NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
            ]
        }
        let all = try stack.context.fetch(request)
        let ages = all.map { $0["age"] as? Int ?? -100 }
        #expect(all.count == 50 && ages == ages.sorted(by: >))
        (request.fetchLimit, request.fetchOffset) = (7, 11)
        #expect(try stack.context.fetch(request) == Array(all[11..<18]))
        let count = values("Person", properties: [column("n", function: "count:", path: "SELF")])
        #expect(try stack.context.fetch(count).first?["n"] as? Int == 50)
        count.affectedStores = [stack.coordinator.persistentStores[1]]
        #expect(try stack.context.fetch(count).first?["n"] as? Int == 17)
    }

    @Test("a pinned context has the values of its moment (FET-15)")
    func valuesOfAMoment() throws {
        let stack = try ValueModel.stack(.sqlite, people: 5)
        let reader = stack.newContext()
        try reader.setQueryGenerationFrom(.current)
        let request = values(
            "Department",
            properties: [column("n", function: "count:", path: "name"), column("last", function: "max:", path: "name")])
        #expect(try reader.fetch(request).first?["n"] as? Int == 4)
        stack.context.insert("Department", ["name": "zzz"])
        try stack.context.save()
        #expect(try reader.fetch(request).first == ["n": 4, "last": "Ärger"])
        #expect(try stack.context.fetch(request).first == ["n": 5, "last": "Ärger"])
        try reader.setQueryGenerationFrom(nil)
        #expect(try reader.fetch(request).first?["n"] as? Int == 5)
    }
}
