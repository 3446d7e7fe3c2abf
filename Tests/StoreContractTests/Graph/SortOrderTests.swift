import CoreData
import StoreContract
import TestBasics
import Testing

/// The same order in memory and in SQL: awkward texts, every comparison, both directions, several languages.
///
/// `CORE_DATA_SEED` repeats the texts of a run.
struct SortOrderTests {
    /// Texts put together of pieces that are hard to sort.
    static func texts(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        let pieces =
            Awkward.texts + [
                "å", "ä", "ö", "Å", "Ä", "Ö", "a\u{30A}", "A\u{308}", "o\u{308}", "æ", "Æ", "aa", "Aa", "ø", "z", "Z",
                "9",
                "10", "010", "1.5", "٣", "½", "👩🏽‍🚀", "👨", "\u{301}", "\u{200D}", "ﬁ", "fi", "ｆ", "ㄱ", "가",
                "\u{1100}\u{1161}",
                "-", "_", " ", "  ", "\t", "ch", "ll", "ǆ", "ẞ", "ı", "I", "i̇", "İ", "\u{FEFF}", "\u{AD}", "x\u{200B}",
                "❤\u{FE0F}", "❤", "\u{1}", "\u{1F1F8}\u{1F1EA}",
            ]
        let mixed = (0..<count - pieces.count).map { _ in
            (0...random.next(below: 4)).map { _ in pieces[random.next(below: pieces.count)] }.joined()
        }
        return pieces + mixed
    }

    static let comparisons = [
        "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
        "localizedStandardCompare:",
    ]

    private static func stack(_ kind: StoreKind, _ texts: [String?]) throws -> Stack {
        let stack = try HeroModel.stack(kind)
        for text in texts { stack.context.insert("Note").setValue(text, forKey: "text") }
        try stack.context.save()
        return try stack.reopened()
    }

    private static func fetched(_ stack: Stack, _ descriptor: NSSortDescriptor) throws -> [String?] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [descriptor]
        return try stack.context.fetch(request).map { $0.value(forKey: "text") as? String }
    }

    /// Whether both stores give the same order by every comparison; texts that compare equal may change places.
    static func expectSameOrder(locale: String, seed: UInt64) throws {
        NSSortDescriptor.localizedComparisonLocale = Locale(identifier: locale)
        let texts: [String?] = texts(TestSeed.isExhaustive ? 2_200 : 800, seed: seed) + [nil, nil, nil]
        let stacks = try [StoreKind.sqlite, .inMemory].map { try stack($0, texts) }
        for name in comparisons {
            for ascending in [true, false] {
                let descriptor = NSSortDescriptor(key: "text", ascending: ascending, selector: Selector(name))
                let orders = try stacks.map { try fetched($0, descriptor) }
                try #require(orders.allSatisfy { $0.count == texts.count })
                let comparison = descriptor.sorting.comparison
                let place = try zip(orders[0], orders[1]).enumerated().first {
                    try comparison.order($1.0, $1.1) != .orderedSame
                }
                #expect(place == nil, "\(locale) \(name) \(ascending) seed \(seed): \(String(describing: place))")
                let ends = ascending ? orders[0].prefix(3) : orders[0].suffix(3)
                #expect(ends.allSatisfy { $0 == nil })
                // The order is really that of the comparison, not only the same one twice.
                for (one, next) in zip(orders[0], orders[0].dropFirst()) {
                    let order = try comparison.order(one, next)
                    #expect(order == .orderedSame || (order == .orderedAscending) == ascending)
                }
            }
        }
    }

    // In processes of their own, since the locale is the whole process's.

    @Test("awkward texts sort alike in SQL and in memory, in English (PRD-29, PRD-30)", .timeLimit(.minutes(20)))
    func prd29PRD30() async {
        await #expect(processExitsWith: .success) {
            let seed = TestSeed.first
            try SortOrderTests.expectSameOrder(locale: "en_001", seed: seed)
        }
    }

    @Test("å, ä and ö come after z in Swedish, in SQL and in memory (PRD-30)", .timeLimit(.minutes(20)))
    func andComeAfterZInSwedish() async {
        await #expect(processExitsWith: .success) {
            let seed = TestSeed.first
            try SortOrderTests.expectSameOrder(locale: "sv_SE", seed: seed)
            try SortOrderTests.expectLetters("sv_SE", ["a", "z", "å", "ä", "ö"])
        }
    }

    @Test("ä and ö sort with a and o in German, in SQL and in memory (PRD-30)", .timeLimit(.minutes(20)))
    func andSortWithAndOInGerman() async {
        await #expect(processExitsWith: .success) {
            let seed = TestSeed.first
            try SortOrderTests.expectSameOrder(locale: "de_DE", seed: seed)
            try SortOrderTests.expectLetters("de_DE", ["a", "å", "ä", "ö", "z"])
        }
    }

    static func expectLetters(_ locale: String, _ expected: [String]) throws {
        NSSortDescriptor.localizedComparisonLocale = Locale(identifier: locale)
        for kind in [StoreKind.sqlite, .inMemory] {
            let stack = try stack(kind, ["ö", "z", "ä", "a", "å"])
            for name in comparisons.suffix(3) {
                let order = try fetched(stack, NSSortDescriptor(key: "text", ascending: true, selector: Selector(name)))
                #expect(order == expected, "\(kind) \(name)")
            }
        }
    }

    @Test("a registered comparison sorts in every store (PRD-31)", arguments: StoreKind.all)
    func registeredComparison(kind: StoreKind) throws {
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let descriptor = NSSortDescriptor(key: "text", ascending: true, selector: "sortOrderTestsWeekdayCompare:")
        let stack = try Self.stack(kind, ["Sun", "Wed", "Mon", nil, "Fri"])
        // Registered after the store was opened, and only then.
        if kind.type == NSSQLiteStoreType { _ = try? Self.fetched(stack, descriptor) }
        NSSortDescriptor.registerComparison("sortOrderTestsWeekdayCompare:") { left, right in
            let (one, other) = (days.firstIndex(of: left) ?? 7, days.firstIndex(of: right) ?? 7)
            return one < other ? .orderedAscending : one == other ? .orderedSame : .orderedDescending
        }
        #expect(try Self.fetched(stack, descriptor) == [nil, "Mon", "Wed", "Fri", "Sun"])
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(try Self.fetched(stack, reversed) == ["Sun", "Fri", "Wed", "Mon", nil])
        #expect(
            ["Sun", "Mon"].sorted(using: NSSortDescriptor(key: nil, ascending: true, selector: descriptor.selector))
                == ["Mon", "Sun"])
    }

    @Test("an unknown comparison is an error that names it (PRD-31)", arguments: StoreKind.all)
    func unknownComparison(kind: StoreKind) throws {
        let stack = try Self.stack(kind, ["a", "b"])
        let descriptor = NSSortDescriptor(key: "text", ascending: true, selector: "myCustomCompare:")
        let error = #expect(throws: NSError.self) { try Self.fetched(stack, descriptor) }
        let text = "\(error?.userInfo ?? [:])"
        #expect(text.contains("unsupported NSSortDescriptor selector: myCustomCompare:"))
    }

    @Test("a comparator in Swift sorts in memory and is refused by SQLite (PRD-31)", arguments: StoreKind.all)
    func comparatorInSwiftSortsInMemoryAndIsRefusedBySQLite(kind: StoreKind) throws {
        let stack = try Self.stack(kind, ["ccc", "a", "bb"])
        let descriptor = NSSortDescriptor(key: "text", ascending: false) { left, right in
            let (one, other) = ((left as? String)?.count ?? 0, (right as? String)?.count ?? 0)
            return one < other ? .orderedAscending : one == other ? .orderedSame : .orderedDescending
        }
        if kind.type != NSSQLiteStoreType {
            #expect(try Self.fetched(stack, descriptor) == ["ccc", "bb", "a"])
        } else {
            expectError(134060) { try Self.fetched(stack, descriptor) }
        }
    }

    @Test("age descending, then name ascending; nil first ascending (PRD-29)", arguments: StoreKind.all)
    func severalKeys(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        for (name, strength) in [("b", 3), ("a", 3), ("c", 9), ("d", 1)] {
            let hero = stack.context.insert("Hero")
            hero.setValue(name, forKey: "name")
            hero.setValue(strength, forKey: "strength")
        }
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.sortDescriptors = [
            NSSortDescriptor(key: "strength", ascending: false), NSSortDescriptor(key: "name", ascending: true),
        ]
        #expect(try stack.context.fetch(request).map { $0.value(forKey: "name") as? String } == ["c", "a", "b", "d"])
        request.sortDescriptors = [
            NSSortDescriptor(SortDescriptor(\Hero.strength, order: .reverse)),
            NSSortDescriptor(SortDescriptor(\Hero.name)),
        ]
        #expect(try stack.context.fetch(request).map { $0.value(forKey: "name") as? String } == ["c", "a", "b", "d"])
    }

    @Test("a typed predicate fetches from every store (PRD-26)", arguments: StoreKind.all)
    func typedPredicates(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        for number in 0..<10 {
            let hero = stack.context.insert("Hero")
            hero.setValue("hero\(number)", forKey: "name")
            hero.setValue(number, forKey: "strength")
            guard number > 4 else { continue }
            let power = stack.context.insert("Power")
            power.setValue(number, forKey: "level")
            power.setValue("fly", forKey: "name")
            power.setValue(hero, forKey: "hero")
        }
        try stack.context.save()
        func count(_ predicate: Predicate<Hero>) throws -> Int {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            request.predicate = try NSPredicate(converting: predicate)
            return try stack.reopenedCount(request)
        }
        #expect(try count(#Predicate<Hero> { $0.strength > 3 && $0.strength <= 7 }) == 4)
        #expect(try count(#Predicate<Hero> { $0.name?.contains("ro1") ?? false }) == 1)
        #expect(try count(#Predicate<Hero> { $0.name == "hero3" || $0.birthDate != nil }) == 1)
        #expect(try count(#Predicate<Hero> { $0.powers.contains { $0.level > 7 } }) == 2)
        #expect(try count(#Predicate<Hero> { $0.powers.isEmpty }) == 5)
    }

    /// A value of any type in a box of its own, also one that is in a box already.
    private static func boxed<Value>(_ value: Value) -> Any? { value }

    @Test("managed objects are filtered and sorted in memory, in every kind of collection (PRD-25)")
    func filteringObjects() throws {
        let stack = try HeroModel.stack(.inMemory)
        let heroes = (0..<6).map { number in
            let hero = stack.context.insert("Hero")
            hero.setValue("h\(number)", forKey: "name")
            hero.setValue(number % 3, forKey: "strength")
            return hero
        }
        let predicate = NSPredicate(format: "strength > 0 AND name != %@", "h5")
        func names(_ objects: [Any]) -> [String] {
            objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
        }
        let order = [
            NSSortDescriptor(key: "strength", ascending: false), NSSortDescriptor(key: "name", ascending: false),
        ]
        #expect(names(heroes.filtered(using: predicate)) == ["h1", "h2", "h4"])
        #expect(names(NSArray(array: heroes).filtered(using: predicate)) == ["h1", "h2", "h4"])
        #expect(names(NSOrderedSet(array: heroes).filtered(using: predicate).array) == ["h1", "h2", "h4"])
        #expect(names(Array(NSSet(array: heroes).filtered(using: predicate))).sorted() == ["h1", "h2", "h4"])
        #expect(names(Array(Set(heroes).filtered(using: predicate))).sorted() == ["h1", "h2", "h4"])
        // The same objects under the names of other types: what holds them looks different each time.
        let (plain, bases): ([NSManagedObject], [NSObject]) = (heroes, heroes)
        let (references, optionals): ([AnyObject], [Any?]) = (heroes, heroes)
        let (boxes, hashables): ([Any], [AnyHashable]) = (heroes, heroes)
        #expect(names(plain.filter { predicate.evaluate(with: $0) }) == ["h1", "h2", "h4"])
        #expect(names(bases.filter { predicate.evaluate(with: $0) }) == ["h1", "h2", "h4"])
        #expect(names(references.filter { predicate.evaluate(with: $0) }) == ["h1", "h2", "h4"])
        #expect(names(optionals.filter { predicate.evaluate(with: $0) }.compactMap(\.self)) == ["h1", "h2", "h4"])
        #expect(names(optionals.filter { predicate.evaluate(with: $0 as Any) }.compactMap(\.self)).count == 3)
        #expect(names(boxes.filter { predicate.evaluate(with: $0) }) == ["h1", "h2", "h4"])
        #expect(names(boxes.filter { predicate.evaluate(with: Self.boxed($0)) }) == ["h1", "h2", "h4"])
        #expect(names(hashables.filter { predicate.evaluate(with: $0.base) }) == ["h1", "h2", "h4"])
        let array = NSMutableArray(array: heroes)
        array.filter(using: predicate)
        let set = NSMutableSet(array: heroes)
        set.filter(using: predicate)
        let ordered = NSMutableOrderedSet(array: heroes)
        ordered.filter(using: predicate)
        #expect(array.count == 3 && set.count == 3 && ordered.count == 3)
        let sorted = ["h5", "h2", "h4", "h1", "h3", "h0"]
        #expect(names(heroes.sorted(using: order)) == sorted)
        #expect(names(Set(heroes).sorted(using: order)) == sorted)
        #expect(names(NSArray(array: heroes).sortedArray(using: order)) == sorted)
        #expect(names(NSSet(array: heroes).sortedArray(using: order)) == sorted)
        #expect(names(NSOrderedSet(array: heroes).sortedArray(using: order)) == sorted)
        array.sort(using: order)
        ordered.sort(using: order)
        #expect(names(array as? [Any] ?? []) == ["h2", "h4", "h1"] && names(ordered.array) == ["h2", "h4", "h1"])
        let title = NSPredicate(format: "title ENDSWITH %@", "4")
        #expect(heroes.filtered(using: title).count <= 1)
    }

    @Test("every name of sort descriptors and typed predicates, as an application writes them (PRD-29, PRD-26)")
    func namesOfApplications() throws {
        let byKey = NSSortDescriptor(key: "name", ascending: true)
        let byNumber = NSSortDescriptor(
            key: #"name"#, ascending: false, selector: NSSelectorFromString("localizedStandardCompare:"))
        let byComparator = NSSortDescriptor(key: "strength", ascending: true, comparator: { _, _ in .orderedSame })
        let byPath = NSSortDescriptor(keyPath: \Hero.name, ascending: true)
        let byWhole = NSSortDescriptor(keyPath: \Hero.strength, ascending: false)
        #expect(byKey.key == "name" && byKey.ascending && byNumber.selector?.name == "localizedStandardCompare:")
        #expect(byPath.keyPath == \Hero.name && byWhole.keyPath == \Hero.strength)
        #expect(byKey.comparator("a", "b") == .orderedAscending && byComparator.comparator(2, 1) == .orderedSame)
        #expect(byKey.compare(["name": "a"], to: ["name": "b"]) == .orderedAscending)
        let reversed = try #require(byKey.reversedSortDescriptor as? NSSortDescriptor)
        #expect(reversed.compare(["name": "a"], to: ["name": "b"]) == .orderedDescending)
        #expect(
            byKey.copy() as? NSSortDescriptor == byKey
                && byKey.hash == NSSortDescriptor(key: "name", ascending: true).hash)
        #expect(byKey != reversed && byKey != byNumber)
        let data = try NSKeyedArchiver.archivedData(withRootObject: byNumber, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: data)
        #expect(read == byNumber)
        read?.allowEvaluation()
        let named = try NSKeyedArchiver.archivedData(withRootObject: byPath, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: named)?.key == "name")
        let typed = NSPredicate(#Predicate<Hero> { $0.strength > 3 })
        #expect(typed?.formatString == "strength > 3")
    }
}

extension Stack {
    /// The number of objects that a fetch finds in the store itself.
    fileprivate func reopenedCount(_ request: NSFetchRequest<NSManagedObject>) throws -> Int {
        try newContext().count(for: request)
    }
}
