import CoreData
import TestBasics

/// Makes the sequence of steps of a seed.
package struct ShapesGenerator {
    private var random: SeededRandom
    private var reference: Reference
    private var saved: Reference
    private var last = 0

    private init(_ model: NSManagedObjectModel, _ seed: UInt64) {
        random = SeededRandom(seed: seed)
        reference = Reference(model)
        saved = reference
    }

    package static func steps(seed: UInt64, count: Int, _ model: NSManagedObjectModel) -> [ShapesStep] {
        var generator = ShapesGenerator(model, seed)
        return (0..<count).compactMap { _ in
            guard let step = generator.next() else { return nil }
            generator.reference.take(step, saved: &generator.saved)
            return step
        }
    }

    private mutating func next() -> ShapesStep? {
        switch random.next(below: 40) {
        case 0..<27: change()
        case 27..<33: .save
        case 33: .rollback
        case 34: .reset
        case 35: .refreshAll
        case 36: .refault
        case 37: pick().map { .refresh($0) }
        case 38: .obtainPermanentIDs
        default: elsewhere()
        }
    }

    /// A change of the graph.
    private mutating func change() -> ShapesStep? {
        switch random.next(below: 27) {
        case 0..<7:
            last += 1
            return .insert(last, ShapesModel.entities.pick(&random))
        case 7..<13: return setting()
        case 13..<25: return relating()
        default: return pick().map { reference.isDenied($0) ? .deleteDenied($0) : .delete($0) }
        }
    }

    private mutating func elsewhere() -> ShapesStep {
        var copy = self
        var steps: [ShapesStep] = []
        for _ in 0..<(1 + random.next(below: 4)) {
            guard let step = copy.change() else { continue }
            steps.append(step)
            copy.reference.take(step, saved: &copy.saved)
        }
        (random, last) = (copy.random, copy.last)
        return .elsewhere(steps)
    }

    private mutating func pick() -> Int? {
        let numbers = reference.records.keys.sorted()
        return numbers.isEmpty ? nil : numbers.pick(&random)
    }

    private mutating func setting() -> ShapesStep? {
        guard let number = pick(), let entity = reference.entity(number) else { return nil }
        let names = entity.attributesByName.keys.filter { $0 != "number" }.sorted()
        return .set(number, names.pick(&random), random.next())
    }

    private mutating func relating() -> ShapesStep? {
        guard let number = pick(), let entity = reference.entity(number) else { return nil }
        let names = entity.relationshipsByName.keys.sorted()
        guard let relationship = entity.relationshipsByName[names.pick(&random)] else { return nil }
        let candidates = reference.candidates(for: number, relationship)
        guard !candidates.isEmpty else { return nil }
        return .relate(number, relationship.name, targets(of: number, relationship, candidates))
    }

    private mutating func targets(
        of number: Int, _ relationship: NSRelationshipDescription, _ candidates: [Int]
    ) -> [Int] {
        var members = reference.members(number, relationship.name)
        let one = candidates.pick(&random)
        guard relationship.isToMany else { return random.next(below: 4) == 0 ? [] : [one] }
        if relationship.isOrdered, !members.isEmpty, random.next(below: 3) == 0 {
            members.shuffle(using: &random)
            return members
        }
        if let place = members.firstIndex(of: one) {
            members.remove(at: place)
            guard relationship.isOrdered, random.next(below: 2) == 0 else { return members }
        }
        members.insert(one, at: random.next(below: members.count + 1))
        return members
    }
}
