import CoreDataGraph
import TestBasics
import Testing

extension StoreContract {
    static let saving = [
        Clause("OBJ-01: an inserted object is in the store after the save only", insertion),
        Clause("OBJ-24: a deleted object is in the store until the save", deletion),
        Clause("CTX-03, STO-18: every update is kept, beside what was not changed", updates),
        Clause("CTX-03: one save inserts, changes and deletes", mixedSave),
        Clause("CTX-15: a rollback leaves nothing to save", rollback),
        Clause("many objects are saved, changed and deleted at once", manyObjects),
        Clause("an object inserted and deleted before the save never was", insertedAndDeleted),
        Clause("an object changed back to what it was is not harmed", changedBack),
    ]

    @Sendable private static func insertion(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero")
        #expect(hero.isInserted && stack.context.hasChanges)
        #expect(try stack.newContext().all("Hero").isEmpty)
        try stack.context.save()
        #expect(!hero.isInserted && !hero.hasChanges && !stack.context.hasChanges)
        #expect(hero.nameValue == "Untitled Hero")
        #expect(try stack.newContext().texts("Hero") == ["Untitled Hero"])
        #expect(try stack.reopened().context.texts("Hero") == ["Untitled Hero"])
    }

    @Sendable private static func deletion(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero")
        try stack.context.save()
        stack.context.delete(hero)
        #expect(hero.isDeleted)
        #expect(try stack.context.all("Hero").isEmpty)
        #expect(try stack.newContext().all("Hero").count == 1)
        try stack.context.save()
        #expect(try stack.newContext().all("Hero").isEmpty)
        #expect(try stack.reopened().context.all("Hero").isEmpty)
    }

    @Sendable private static func updates(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        stack.context.insert("Hero", ["name": "Ann", "strength": 1, "secretIdentity": "X"])
        try stack.context.save()
        for strength in 2...5 {
            let hero = try stack.context.named("Ann", "Hero")
            #expect(hero.value(forKey: "strength") as? Int == strength - 1)
            hero.setValue(strength, forKey: "strength")
            try stack.context.save()
            #expect(!hero.hasChanges && hero.value(forKey: "strength") as? Int == strength)
            stack = try stack.reopened()
        }
        let hero = try stack.context.named("Ann", "Hero")
        #expect(hero.value(forKey: "strength") as? Int == 5 && hero.value(forKey: "secretIdentity") as? String == "X")
    }

    @Sendable private static func mixedSave(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        for name in ["gone", "changed", "same"] { stack.context.insert("Hero", ["name": name]) }
        try stack.context.save()
        stack.context.delete(try stack.context.named("gone", "Hero"))
        try stack.context.named("changed", "Hero").setValue("other", forKey: "name")
        let new = stack.context.insert("Hero", ["name": "new"])
        stack.context.insert("Power", ["name": "p", "hero": new])
        try stack.context.save()
        #expect(try stack.context.texts("Hero") == ["new", "other", "same"])
        stack = try stack.reopened()
        #expect(try stack.context.texts("Hero") == ["new", "other", "same"])
        #expect(try stack.context.named("p", "Power").value(forKeyPath: "hero.name") as? String == "new")
    }

    @Sendable private static func rollback(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let (ann, bob) = (stack.context.insert("Hero", ["name": "Ann"]), stack.context.insert("Hero", ["name": "Bob"]))
        try stack.context.save()
        ann.setValue("X", forKey: "name")
        stack.context.delete(bob)
        stack.context.insert("Power", ["name": "P", "hero": ann])
        stack.context.rollback()
        #expect(!stack.context.hasChanges && ann.nameValue == "Ann" && ann.related("powers").isEmpty)
        try stack.context.save()
        let again = try stack.reopened()
        #expect(try again.context.texts("Hero") == ["Ann", "Bob"])
        #expect(try again.context.all("Power").isEmpty)
    }

    @Sendable private static func manyObjects(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        let count = TestSeed.isExhaustive ? 2_500 : 600
        for number in 0..<count { stack.context.insert("Power", ["name": "P\(number)", "level": number]) }
        try stack.context.save()
        stack = try stack.reopened()
        for power in try stack.context.all("Power") {
            let level = try #require(power.value(forKey: "level") as? Int)
            #expect(power.nameValue == "P\(level)")
            if level % 5 == 0 { stack.context.delete(power) } else { power.setValue(level + 10_000, forKey: "level") }
        }
        try stack.context.save()
        stack = try stack.reopened()
        let levels = try stack.context.all("Power").compactMap { $0.value(forKey: "level") as? Int }.sorted()
        #expect(levels == (0..<count).filter { $0 % 5 != 0 }.map { $0 + 10_000 })
    }

    @Sendable private static func insertedAndDeleted(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        let power = stack.context.insert("Power", ["name": "P", "hero": hero])
        stack.context.delete(power)
        #expect(hero.related("powers").isEmpty || stack.context.hasChanges)
        try stack.context.save()
        let again = try stack.reopened()
        #expect(try again.context.all("Power").isEmpty)
        #expect(try again.context.named("Ann", "Hero").related("powers").isEmpty)
    }

    @Sendable private static func changedBack(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann", "strength": 3])
        try stack.context.save()
        hero.setValue("Bob", forKey: "name")
        hero.setValue("Ann", forKey: "name")
        try stack.context.save()
        #expect(try stack.reopened().context.named("Ann", "Hero").value(forKey: "strength") as? Int == 3)
    }
}
