import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct ObjectObservingTests {
    private func hero(_ context: NSManagedObjectContext, _ name: String) -> Hero {
        let hero = Hero(context: context)
        hero.name = name
        return hero
    }

    private func power(_ context: NSManagedObjectContext, _ name: String, _ hero: Hero? = nil) -> Power {
        let power = Power(context: context)
        power.name = name
        power.hero = hero
        return power
    }

    @Test(
        "an observer is called once a change with object, key, old and new; nil is nil (KVC-11)",
        arguments: StoreKind.all)
    func oncePerChange(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = hero(stack.context, "Ann")
        var told: [String] = []
        let token = hero.observe(\.name, options: [.old, .new]) { object, change in
            #expect(object === hero && change.kind == .setting && !change.isPrior)
            told.append("\(Listener.text(change.oldValue ?? nil))>\(Listener.text(change.newValue ?? nil))")
        }
        let listener = hero.listen("name", [.initial, .new, .old])
        hero.name = "Bea"
        hero.setValue(nil, forKey: "name")
        hero.name = "Cid"
        hero.name = "Cid"
        hero.strength = 4
        hero.setPrimitiveValue("silent", forKey: "name")
        #expect(told == ["Ann>Bea", "Bea>nil", "nil>Cid", "Cid>Cid"])
        #expect(listener.heard == ["name nil>Ann", "name Ann>Bea", "name Bea>nil", "name nil>Cid", "name Cid>Cid"])
        #expect(listener.object === hero)
        token.invalidate()
        hero.name = "Dan"
        #expect(told.count == 4 && listener.heard.count == 6)
    }

    @Test("options initial and prior; numbers and dates by type (KVC-11)", arguments: StoreKind.all)
    func optionsInitialAndPrior(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = hero(stack.context, "Ann")
        let prior = hero.listen("strength", [.prior, .old, .new])
        var strengths: [Int16?] = []
        let token = hero.observe(\.strength, options: [.initial, .new]) { strengths.append($1.newValue) }
        let date = Date(timeIntervalSinceReferenceDate: 1)
        var dates: [Date??] = []
        let other = hero.observe(\.birthDate, options: [.old, .new]) { dates += [$1.oldValue, $1.newValue] }
        hero.strength = 3
        hero.birthDate = date
        #expect(strengths == [0, 3])
        #expect(dates == [.some(nil), .some(date)])
        #expect(prior.heard == ["strength nil>nil prior", "strength nil>3"])
        withExtendedLifetime((token, other)) {}
    }

    @Test(
        "a custom setter notifies once, by key and typed, and marks the object changed (KVC-09)",
        arguments: StoreKind.all)
    func customAccessorNotifiesOnce(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = hero(stack.context, "Ann")
        try stack.context.save()
        let listener = hero.listen("secretIdentity")
        hero.secretIdentity = "ann"
        hero.setValue("bea", forKey: "secretIdentity")
        #expect(listener.heard == ["secretIdentity nil>ANN", "secretIdentity ANN>BEA"])
        #expect(hero.hasChanges)
        hero.willChangeValue(forKey: "secretIdentity")
        hero.secretIdentity = "cid"
        hero.didChangeValue(forKey: "secretIdentity")
        #expect(listener.heard.last == "secretIdentity BEA>CID" && listener.heard.count == 3)
        hero.didChangeValue(forKey: "secretIdentity")
        #expect(listener.heard.count == 3)
    }

    @Test(
        "both sides of a relationship are notified, members as insertion and removal (KVC-11)", arguments: StoreKind.all
    )
    func bothSidesAreNotified(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let (ann, bea) = (hero(stack.context, "Ann"), hero(stack.context, "Bea"))
        let flight = power(stack.context, "Flight")
        let (one, other, back) = (ann.listen("powers"), bea.listen("powers"), flight.listen("hero"))
        flight.hero = ann
        flight.hero = bea
        flight.hero = bea
        bea.powers = []
        #expect(one.heard == ["powers nil>{Flight}", "powers {Flight}>nil"])
        #expect(one.changes.map { $0[.kindKey] as? UInt } == [2, 3])
        #expect(other.heard == ["powers nil>{Flight}", "powers {Flight}>{}"])
        #expect(other.changes.map { $0[.kindKey] as? UInt } == [2, 4])
        #expect(back.heard == ["hero nil>Ann", "hero Ann>Bea", "hero Bea>nil"])
    }

    @Test("an assignment of members is one change with what came and went (KVC-11)", arguments: StoreKind.all)
    func assignmentIsOneChange(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let ann = hero(stack.context, "Ann")
        let powers = ["a", "b", "c"].map { power(stack.context, $0) }
        var told: [String] = []
        let token = ann.observe(\.powers, options: [.old, .new]) { _, change in
            told.append("\(change.kind.rawValue) \(Listener.text(change.oldValue))>\(Listener.text(change.newValue))")
        }
        ann.powers = [powers[0], powers[1]]
        ann.setValue(NSSet(array: [powers[1], powers[2]]), forKey: "powers")
        ann.powers = [powers[2], powers[1]]
        #expect(told == ["4 {}>{a,b}", "4 {a}>{c}"])
        let added: Set<AnyHashable> = [powers[0]]
        ann.willChangeValue(forKey: "powers", withSetMutation: .union, using: added)
        powers[0].hero = ann
        ann.didChangeValue(forKey: "powers", withSetMutation: .union, using: added)
        #expect(told.last == "2 nil>{a}" && told.count == 3)
        withExtendedLifetime(token) {}
    }

    @Test(
        "both sides of a many-to-many relationship; a member added twice is notified once (KVC-11)",
        arguments: StoreKind.all
    )
    func manyToMany(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let ann = hero(stack.context, "Ann")
        let team = stack.context.insert("Team", ["name": "X", "members": NSSet(object: ann)])
        try stack.context.save()
        stack.context.refresh(ann, mergeChanges: false)
        stack.context.refresh(team, mergeChanges: false)
        let (teams, members) = (ann.listen("teams"), team.listen("members"))
        team.setValue(NSSet(object: ann), forKey: "members")
        #expect(teams.heard.isEmpty && members.heard.isEmpty)
        ann.setValue(NSSet(), forKey: "teams")
        #expect(teams.heard == ["teams {X}>{}"] && members.heard == ["members {Ann}>nil"])
    }

    @Test("members of an ordered relationship come with their places (KVC-11)", arguments: StoreKind.all)
    func orderedMembers(kind: StoreKind) throws {
        let stack = try ObservedModel.stack(kind)
        let album = stack.context.insert("Album", ["title": "A"])
        let tracks = ["a", "b", "c"].map { stack.context.insert("Track", ["title": $0]) }
        let listener = album.listen("tracks")
        for track in tracks { track.setValue(album, forKey: "album") }
        tracks[1].setValue(nil, forKey: "album")
        album.setValue(NSOrderedSet(array: [tracks[2], tracks[0]]), forKey: "tracks")
        #expect(
            listener.heard == [
                "tracks nil>[a]", "tracks nil>[b]", "tracks nil>[c]", "tracks [b]>nil", "tracks [a,c]>[c,a]",
            ])
        #expect(listener.changes.prefix(4).map { $0[.indexesKey] as? IndexSet } == [[0], [1], [2], [1]])
        album.willChange(.replacement, valuesAt: [1], forKey: "tracks")
        album.setPrimitiveValue(NSOrderedSet(array: [tracks[2], tracks[1]]), forKey: "tracks")
        album.didChange(.replacement, valuesAt: [1], forKey: "tracks")
        #expect(listener.heard.last == "tracks [a]>[b]" && listener.heard.count == 6)
        #expect(listener.changes.last?[.indexesKey] as? IndexSet == [1])
    }

    @Test("dotted key paths follow to-one relationships (KVC-11)", arguments: StoreKind.all)
    func dottedKeyPaths(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let (ann, bea, cid) = (hero(stack.context, "Ann"), hero(stack.context, "Bea"), hero(stack.context, "Cid"))
        let flight = power(stack.context, "Flight", ann)
        ann.nemesis = bea
        let listener = flight.listen("hero.nemesis.name")
        bea.name = "Bob"
        cid.name = "Sid"
        ann.nemesis = cid
        cid.name = "Cyd"
        bea.name = "gone"
        flight.hero = nil
        ann.name = "gone"
        #expect(
            listener.heard.map { $0.dropFirst("hero.nemesis.name ".count) } == [
                "Bea>Bob", "Bob>Sid", "Sid>Cyd", "Cyd>nil",
            ])
        #expect(stack.context.observedObjectCount == 1)
    }

    @Test("dependent keys by an override and by the property table (KVC-13)", arguments: StoreKind.all)
    func dependentKeys(kind: StoreKind) throws {
        let stack = try ObservedModel.stack(kind)
        let (person, loan, invoice) = (
            Person(context: stack.context), Loan(context: stack.context), Invoice(context: stack.context)
        )
        let years = person.listen("yearOfBirth")
        var payments: [Double?] = []
        let token = loan.observe(\.monthlyPayment, options: [.new]) { payments.append($1.newValue) }
        let totals = invoice.listen("totalDue")
        person.dateOfBirth = Date(timeIntervalSinceReferenceDate: 31_556_952 * 10 + 86_400)
        #expect(years.heard == ["yearOfBirth 0>2011"])
        loan.principal = 1_200
        loan.interestRate = 0.5
        #expect(payments == [0, 50])
        (invoice.subtotal, invoice.taxRate) = (100, 0.06)
        #expect(totals.heard.last == "totalDue 100.0>106.0" && totals.heard.count == 2)
        withExtendedLifetime(token) {}
    }

    @Test("keys that depend on other objects, and typed key paths of a subclass (KVC-13)", arguments: StoreKind.all)
    func dependentPaths(kind: StoreKind) throws {
        let stack = try ObservedModel.stack(kind)
        let (pupil, loan) = (Pupil(context: stack.context), Loan(context: stack.context))
        let listener = loan.listen("debtorsYear")
        var grades = 0
        let tokens = [
            pupil.observe(\.dateOfBirth) { _, _ in grades += 1 }, pupil.observe(\.grade) { _, _ in grades += 1 },
            (pupil as Person).observe(\.yearOfBirth) { _, _ in grades += 1 },
        ]
        loan.debtor = pupil
        pupil.dateOfBirth = Date(timeIntervalSinceReferenceDate: 31_556_952 * 3 + 86_400)
        pupil.grade = 4
        #expect(listener.heard == ["debtorsYear 0>0", "debtorsYear 0>2004"])
        #expect(grades == 3)
        withExtendedLifetime(tokens) {}
    }

    @Test("key paths without a name stop with their class (KVC-11)")
    func unnamedKeyPath() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try ObservedModel.stack(.inMemory)
            let pupil = Pupil(context: stack.context)
            _ = pupil.observe(\.yearOfBirth) { _, _ in }
        }
        #expect(result.standardErrorText.contains("Pupil"))
    }

    @Test("changes while awaking from a fetch are notified but not kept (KVC-11)", arguments: StoreKind.all)
    func changesWhileAwaking(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Waker", class: "StoreContractTests.Waker", ["count": .integer32AttributeType])
        let stack = try Stack(builder.model, kind: kind)
        let waker = stack.context.insert("Waker", ["count": 1])
        try stack.context.save()
        stack.context.refresh(waker, mergeChanges: false)
        let listener = waker.listen("count", [.new])
        #expect(waker.isFault && listener.heard.isEmpty)
        #expect(waker.value(forKey: "count") as? Int == 2)
        #expect(listener.heard == ["count nil>2"] && !waker.hasChanges)
    }
}

final class Waker: NSManagedObject {
    override func awakeFromFetch() { setValue(2, forKey: "count") }
}
