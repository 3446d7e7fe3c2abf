import CoreDataFoundation
import Testing

struct ObservingTests {
    @Test("an observer is notified once a change, with object, key, old and new value; nil is nil (KVC-11)")
    func observerIsNotifiedOnce() {
        let person = Colleague(name: "Ann")
        let listener = Listener()
        #expect(person.keyObservers == nil)
        person.addObserver(listener, forKeyPath: "name", options: [.old, .new])
        person.name = "Bea"
        person.name = nil
        person.set(1, for: "birth")
        person.name = "Cid"
        #expect(listener.heard == ["name Ann>Bea", "name Bea>nil", "name nil>Cid"])
    }

    @Test("a typed observer has typed values, and a nil inside where the value is nil (KVC-11)")
    func typedObserver() throws {
        let person = Colleague(name: "Ann")
        var changes: [NSKeyValueObservedChange<String?>] = []
        let token = person.observe(\.name, options: [.old, .new]) { object, change in
            #expect(object === person)
            changes.append(change)
        }
        person.name = nil
        person.name = "Bea"
        token.invalidate()
        person.name = "Cid"
        #expect(changes.count == 2)
        #expect(try #require(changes[0].oldValue) == "Ann")
        let new = try #require(changes[0].newValue)
        #expect(new == nil)
        let old = try #require(changes[1].oldValue)
        #expect(old == nil && changes[1].newValue == "Bea" && changes[1].kind == .setting && !changes[1].isPrior)
    }

    @Test("values are sent only on request; initial sends the present one at once, prior precedes the change (KVC-11)")
    func valuesComeOnlyIfAsked() throws {
        let person = Colleague(name: "Ann")
        let listener = Listener()
        person.addObserver(listener, forKeyPath: "name")
        person.name = "Bea"
        #expect(listener.take() == ["name nil>nil"])
        person.removeObserver(listener, forKeyPath: "name")
        person.addObserver(listener, forKeyPath: "name", options: [.old, .new, .initial, .prior])
        #expect(listener.take() == ["name nil>Bea"])
        person.name = "Cid"
        #expect(listener.take() == ["will name Bea>nil", "name Bea>Cid"])
        person.name = nil
        person.addObserver(listener, forKeyPath: "name", options: .initial)
        #expect(listener.take().last == "name nil>nil")
    }

    @Test("nested changes are sent inner first, each with its own values (KVC-09, KVC-11)")
    func nestedChanges() {
        let person = Colleague(name: "Ann")
        let listener = Listener()
        for key in ["name", "birth"] { person.addObserver(listener, forKeyPath: key, options: [.old, .new]) }
        person.willChangeValue(forKey: "birth")
        person.willChangeValue(forKey: "name")
        person.name = "Bea"
        person.name = "Cid"
        person.didChangeValue(forKey: "name")
        person.didChangeValue(forKey: "birth")
        #expect(listener.heard == ["name Ann>Bea", "name Bea>Cid", "name Ann>Cid", "birth nil>nil"])
        person.didChangeValue(forKey: "birth")
        #expect(listener.heard.count == 4)
    }

    @Test("dropping the token ends its observation and leaves the other; the registry goes with the last (KVC-12)")
    func droppingTheToken() {
        let person = Colleague()
        var heard: [String] = []
        var first: NSKeyValueObservation? = person.observe(\.name) { _, _ in heard.append("first") }
        let second = person.observe(\.name) { _, _ in heard.append("second") }
        person.name = "a"
        withExtendedLifetime(first) {}
        first = nil
        person.name = "b"
        #expect(heard == ["first", "second", "second"])
        second.invalidate()
        second.invalidate()
        person.name = "c"
        #expect(heard.count == 3 && person.keyObservers == nil)
    }

    @Test("removing twice, never, or after the object or the observer died is harmless (KVC-12)")
    func removalIsHarmless() {
        var person: Colleague? = Colleague()
        weak let gone = person
        let listener = Listener()
        person?.removeObserver(listener, forKeyPath: "name")
        person?.addObserver(listener, forKeyPath: "name")
        person?.addObserver(listener, forKeyPath: "boss.name")
        person?.removeObserver(listener, forKeyPath: "name")
        person?.removeObserver(listener, forKeyPath: "name")
        let token = person?.observe(\.name) { _, _ in }
        do {
            let passing = Listener()
            person?.addObserver(passing, forKeyPath: "name")
        }
        person?.name = "a"
        #expect(person?.keyObservers?.observationCount == 2)
        #expect(listener.heard == [])
        person = nil
        #expect(gone == nil)
        token?.invalidate()
    }

    @Test("a closure is released with its token or with the object, whichever goes first (KVC-12)")
    func closuresAreReleased() {
        for isTokenFirst in [true, false] {
            weak var held: NSObject?
            var person: Colleague? = Colleague()
            var token: NSKeyValueObservation?
            do {
                let captured = NSObject()
                held = captured
                token = person?.observe(\.name) { _, _ in withExtendedLifetime(captured) {} }
            }
            #expect(held != nil)
            if isTokenFirst { token = nil } else { person = nil }
            #expect(held == nil)
            withExtendedLifetime((person, token)) {}
        }
    }

    @Test("the context distinguishes two observations by one observer (KVC-12)")
    func contextDistinguishesTwoObservationsByOneObserver() {
        let person = Colleague(name: "Ann")
        let listener = Listener()
        let (one, two) = (UnsafeMutableRawPointer(bitPattern: 1), UnsafeMutableRawPointer(bitPattern: 2))
        person.addObserver(listener, forKeyPath: "name", options: .new, context: one)
        person.addObserver(listener, forKeyPath: "name", options: .old, context: two)
        person.removeObserver(listener, forKeyPath: "name", context: one)
        person.removeObserver(listener, forKeyPath: "name", context: one)
        person.name = "Bea"
        #expect(listener.heard == ["name Ann>nil"])
    }

    @Test("observers may be added and removed while they are notified (KVC-12)")
    func observersChangeDuringNotification() {
        let person = Colleague()
        var heard: [String] = []
        var second: NSKeyValueObservation?
        var third: NSKeyValueObservation?
        let first = person.observe(\.name) { person, _ in
            heard.append("first")
            second?.invalidate()
            if third == nil { third = person.observe(\.name) { _, _ in heard.append("third") } }
        }
        second = person.observe(\.name) { _, _ in heard.append("second") }
        person.name = "a"
        person.name = "b"
        #expect(heard == ["first", "first", "third"])
        withExtendedLifetime((first, third)) {}
    }

    @Test("a change of a key notifies the observers of dependent keys, once (KVC-13)")
    func dependentKeys() {
        let person = Colleague()
        let listener = Listener()
        for key in ["age", "payment", "totalDue"] {
            person.addObserver(listener, forKeyPath: key, options: [.old, .new])
        }
        person.set(1_960, for: "birth")
        #expect(listener.take() == ["age 2000>40"])
        person.set(100, for: "principal")
        person.set(7, for: "rate")
        #expect(listener.take() == ["payment 0>0", "payment 0>700"])
        person.set(6, for: "taxRate")
        person.set(100, for: "subtotal")
        #expect(listener.take() == ["totalDue 0>0", "totalDue 0>106"])
    }

    @Test("what depends on a key path follows both its ends (KVC-13)")
    func dependentKeyPaths() {
        let boss = Colleague(name: "Zoe")
        let person = Colleague(name: "Ann", boss: boss)
        var titles: [String] = []
        let token = person.observe(\.title, options: .new) { _, change in titles.append(change.newValue ?? "") }
        boss.name = "Yan"
        person.name = "Bea"
        person.boss = nil
        boss.name = "none"
        person.boss = Colleague(name: "Xia")
        person.boss?.name = "Wim"
        #expect(titles == ["Ann of Yan", "Bea of Yan", "Bea of nobody", "Bea of Xia", "Bea of Wim"])
        #expect(boss.keyObservers == nil)
        withExtendedLifetime(token) {}
    }

    @Test("a key path is followed through objects that change and through nil (KVC-11)")
    func keyPaths() {
        let (top, boss) = (Colleague(name: "Zoe"), Colleague(name: "Yan"))
        let person = Colleague(name: "Ann")
        let listener = Listener()
        person.addObserver(listener, forKeyPath: "boss.boss.name", options: [.old, .new])
        person.boss = boss
        boss.boss = top
        top.name = "Xia"
        boss.name = "Wim"
        person.boss = nil
        top.name = "none"
        #expect(
            listener.take() == [
                "boss.boss.name nil>nil", "boss.boss.name nil>Zoe", "boss.boss.name Zoe>Xia", "boss.boss.name Xia>nil",
            ])
        #expect(boss.keyObservers == nil && top.keyObservers == nil)
        person.boss = boss
        person.removeObserver(listener, forKeyPath: "boss.boss.name")
        #expect(person.keyObservers == nil && boss.keyObservers == nil && top.keyObservers == nil)
    }

    @Test("a key path goes on behind an object that depends on a key path (KVC-13)")
    func keyPathBehindDependentObject() {
        let person = Colleague(name: "Ann", boss: Colleague(name: "Bea"))
        let listener = Listener()
        person.addObserver(listener, forKeyPath: "lead.name", options: [.old, .new])
        let lead = Colleague(name: "Cid")
        person.boss?.boss = lead
        lead.name = "Dan"
        person.boss = nil
        lead.name = "none"
        #expect(listener.heard == ["lead.name nil>Cid", "lead.name Cid>Dan", "lead.name Dan>nil"])
        #expect(lead.keyObservers == nil)
    }

    @Test("an object on the way outlives the observed one unharmed (KVC-11)")
    func intermediateOutlives() {
        let boss = Colleague(name: "Zoe")
        var person: Colleague? = Colleague(name: "Ann", boss: boss)
        let listener = Listener()
        person?.addObserver(listener, forKeyPath: "boss.name")
        #expect(boss.keyObservers != nil)
        person = nil
        #expect(boss.keyObservers == nil)
        boss.name = "Yan"
        #expect(listener.heard == [])
    }

    @Test("changes of a set come with the elements added and taken out (KVC-11)")
    func setMutations() {
        let person = Colleague()
        let listener = Listener()
        var kinds: [NSKeyValueChange] = []
        person.change(friends: .set, ["a"])
        person.addObserver(listener, forKeyPath: "friends", options: [.old, .new])
        let token = person.observe(\.friends, options: [.old, .new]) { _, change in
            kinds.append(change.kind)
            #expect(change.kind == .removal || change.newValue == ["b"] || change.newValue == ["x"])
        }
        person.change(friends: .union, ["a", "b"])
        person.change(friends: .minus, ["a", "z"])
        person.change(friends: .intersect, ["z"])
        person.change(friends: .set, ["x"])
        #expect(kinds == [.insertion, .removal, .removal, .replacement])
        let text = listener.take().map { $0.replacingOccurrences(of: "AnyHashable", with: "") }
        #expect(
            text == [
                #"friends nil>[("b")]"#, #"friends [("a")]>nil"#, #"friends [("b")]>nil"#, #"friends []>[("x")]"#,
            ])
        withExtendedLifetime(token) {}
    }

    @Test("changes of a list come with the places and the elements there (KVC-11)")
    func indexedChanges() {
        final class Places: KeyValueObserver {
            var heard: [String] = []
            func observeValue(
                forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                context: UnsafeMutableRawPointer?
            ) {
                let places = (change?[.indexesKey] as? IndexSet).map(Array.init) ?? []
                let (old, new) = (change?[.oldKey] as? [String] ?? [], change?[.newKey] as? [String] ?? [])
                heard.append("\(change?[.kindKey] as? UInt ?? 0) \(places) \(old) \(new)")
            }
        }
        let person = Colleague()
        let places = Places()
        person.addObserver(places, forKeyPath: "tags", options: [.old, .new])
        person.changeTags(.insertion, at: [0, 1], to: ["a", "b"])
        person.changeTags(.replacement, at: [1], to: ["a", "c"])
        person.changeTags(.removal, at: [0, 9], to: ["c"])
        person.changeTags(.setting, at: [], to: [])
        #expect(
            places.heard == [
                #"2 [0, 1] [] ["a", "b"]"#, #"4 [1] ["b"] ["c"]"#, #"3 [0, 9] ["a"] []"#, #"1 [] ["c"] []"#,
            ])
    }

    @Test("setting by name notifies unless the class does so on its own (KVC-11)")
    func automaticNotification() {
        let person = Colleague()
        let listener = Listener()
        for key in ["name", "taxRate"] { person.addObserver(listener, forKeyPath: key, options: .new) }
        person.setValue("Ann", forKey: "name")
        person.setValue(6, forKey: "taxRate")
        #expect(listener.heard == ["name nil>Ann"])
    }

    @Test("an unknown key, and a key path without a name, stop (KVC-02, KVC-11)", arguments: [true, false])
    func kvc02KVC11(isTyped: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isTyped] in
            let person = Colleague()
            if isTyped {
                _ = person.observe(\.tags) { _, _ in }
            } else {
                person.addObserver(Listener(), forKeyPath: "nme", options: .initial.union(.new))
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(isTyped ? "has no name for the key path" : "did you mean \"name\"?"))
    }

    @Test("changes between calls with typed key paths are sent by their names (KVC-11)")
    func typedChanges() {
        let person = Colleague(name: "Ann")
        let listener = Listener()
        person.addObserver(listener, forKeyPath: "name", options: [.old, .new])
        person.willChangeValue(for: \.name)
        person.didChangeValue(for: \.name)
        #expect(listener.heard == ["name Ann>Ann"])
    }

    @Test("an expression made with a typed key path is that of its name")
    func typedExpression() {
        let expression = NSExpression(forKeyPath: \Colleague.name)
        #expect(expression.keyPath == "name" && expression.expressionType == .keyPath)
        #expect(expression.expressionValue(with: Colleague(name: "Ann"), context: nil) as? String == "Ann")
    }
}
