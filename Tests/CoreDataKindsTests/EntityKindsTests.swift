import CoreData
import TestBasics
import Testing

@testable import CoreDataKinds

@Suite("Kinds of the attributes of an entity") struct EntityKindsTests {
    private static func kinds(
        _ properties: [NSPropertyDescription], _ samples: [String: [Any]] = [:], choices: [String: String] = [:]
    ) -> EntityKinds {
        let entity = KindTexts.entity(properties)
        return EntityKinds(entity, EntitySamples(entity, samples), choices: choices)
    }

    private static func names(_ kinds: EntityKinds) -> [String: String] {
        Dictionary(uniqueKeysWithValues: kinds.uses.map { ($0.key, $0.kind) })
    }

    @Test("names with fitting values, and many values alone, suggest a kind")
    func namesAndValuesSuggestKinds() {
        let numbers = (0..<10).map { "+49 30 90182\($0)" }
        let found = Self.names(
            Self.kinds(
                [
                    KindTexts.attribute("workEmail"), KindTexts.attribute("contact"), KindTexts.attribute("note"),
                    KindTexts.attribute("homePhone"), KindTexts.attribute("account"),
                    KindTexts.attribute("homepageURL"),
                    KindTexts.attribute("lengthInMinutes", .integer32AttributeType), KindTexts.attribute("tint"),
                    KindTexts.attribute("percentDone", .doubleAttributeType),
                ],
                [
                    "workEmail": ["a@example.org", "b@example.org"], "contact": (0..<6).map { "c\($0)@example.org" },
                    "note": ["plain", "text"], "homePhone": numbers, "account": numbers,
                    "homepageURL": ["https://a.example"],
                    "lengthInMinutes": [90 as NSNumber], "tint": ["#ff0000"], "percentDone": [0.5 as NSNumber],
                ]))
        #expect(
            found == [
                "workEmail": "mailAddress", "contact": "mailAddress", "homePhone": "telephone",
                "homepageURL": "webAddress",
                "lengthInMinutes": "duration", "tint": "color", "percentDone": "percentage",
            ])
    }

    @Test("a name whose values do not fit suggests nothing")
    func valuesContradictNames() {
        let kinds = Self.kinds(
            [
                KindTexts.attribute("email"), KindTexts.attribute("color"),
                KindTexts.attribute("ratio", .doubleAttributeType),
                KindTexts.attribute("lat", .doubleAttributeType), KindTexts.attribute("lng", .doubleAttributeType),
            ],
            [
                "email": ["yes", "no", "no"], "color": ["red", "blue"], "ratio": [4.5 as NSNumber],
                "lat": [520 as NSNumber],
                "lng": [1_300 as NSNumber],
            ])
        #expect(kinds.uses.isEmpty)
    }

    @Test("a pair of coordinates and an amount with its currency are of one kind together")
    func attributesBelongTogether() throws {
        let kinds = Self.kinds([
            KindTexts.attribute("latitude", .doubleAttributeType),
            KindTexts.attribute("longitude", .doubleAttributeType),
            KindTexts.attribute("price", .decimalAttributeType), KindTexts.attribute("currencyCode"),
        ])
        #expect(Self.names(kinds) == ["latitude": "place", "price": "money"])
        #expect(kinds.use(of: "longitude")?.key == "latitude")
        #expect(kinds.uses.first { $0.kind == "money" }?.others == ["currency": "currencyCode"])
        let readings = kinds.readings(
            KindValues([
                "latitude": 1.5 as NSNumber, "longitude": -2 as NSNumber, "price": 3 as NSNumber, "currencyCode": "CHF",
            ]))
        #expect(readings.map(\.reading.text) == ["1.50000° N, 2.00000° W", "3 CHF"])
        let half = kinds.readings(KindValues(["latitude": 1.5 as NSNumber]))
        #expect(half.first?.reading.problem == "the longitude is missing")
    }

    @Test("the model's word ends guesses, and a person's choice counts more")
    func choicesCountMoreThanModelsAndGuesses() {
        let properties = [
            KindTexts.attribute("email", kind: ["valueKind": "none"]),
            KindTexts.attribute("code", kind: ["valueKind": "telephone"]),
            KindTexts.attribute("site"),
            KindTexts.attribute(
                "length", .integer32AttributeType,
                kind: ["valueKind": "duration", "valueKind.unit": "minutes"]),
        ]
        let samples: [String: [Any]] = ["email": ["a@example.org"], "site": (0..<9).map { "https://a\($0).example" }]
        let named = Self.kinds(properties, samples)
        #expect(Self.names(named) == ["code": "telephone", "site": "webAddress", "length": "duration"])
        #expect(named.uses.map(\.origin) == [.model, .model, .guess])
        #expect(named.use(of: "length")?.parameters == ["unit": "minutes"])
        let chosen = Self.kinds(properties, samples, choices: ["email": "mailAddress", "site": "none"])
        #expect(Self.names(chosen) == ["email": "mailAddress", "code": "telephone", "length": "duration"])
        #expect(chosen.use(of: "email")?.origin == .choice)
    }

    @Test("what a model names wrongly is reported with its attribute, and the rest stands")
    func wrongNamesAreReported() {
        let kinds = Self.kinds([
            KindTexts.attribute("a", kind: ["valueKind": "telefone"]),
            KindTexts.attribute("b", .dateAttributeType, kind: ["valueKind": "color"]),
            KindTexts.attribute(
                "c", .integer16AttributeType, kind: ["valueKind": "duration", "valueKind.unit": "moons"]),
            KindTexts.attribute("d", .doubleAttributeType, kind: ["valueKind": "place"]),
            KindTexts.attribute(
                "e", .doubleAttributeType, kind: ["valueKind": "money", "valueKind.currency": "euros"]),
            KindTexts.attribute("f", .doubleAttributeType, kind: ["valueKind": "percentage", "valueKind.whole": "7"]),
            KindTexts.attribute("g", kind: ["valueKind": "json"]),
        ])
        #expect(Self.names(kinds) == ["g": "json"])
        #expect(kinds.problems.count == 6)
        for (problem, part) in zip(kinds.problems, ["telephone", "Date", "moons", "longitude", "euros", "7"]) {
            #expect(problem.contains(part), "\(problem)")
        }
    }

    @Test("kinds of a store are guessed by what it holds, elements of composites too (BRW-39)")
    func kindsOfAStoreAreGuessed() throws {
        let folder = try TemporaryFolder()
        let home = NSCompositeAttributeDescription()
        home.name = "home"
        home.elements = [
            KindTexts.attribute("lat", .doubleAttributeType), KindTexts.attribute("lon", .doubleAttributeType),
        ]
        let entity = KindTexts.entity([
            KindTexts.attribute("mail"), home, KindTexts.attribute("picture", .binaryDataAttributeType),
        ])
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let url = folder.url.appendingPathComponent("Store.sqlite")
        let container = NSPersistentContainer(name: "Kinds", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        #expect(failure == nil)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for number in 0..<300 {
                let object = NSManagedObject(entity: entity, insertInto: context)
                object.setValue("a\(number)@example.org", forKey: "mail")
                object.setValue(["lat": 52.5, "lon": Double(number) / 2], forKey: "home")
                object.setValue(Data(count: 1_000), forKey: "picture")
            }
            try context.save()
        }
        let store = try OpenStore(at: url, model: nil)
        let kinds = try store.kinds(of: store.entity(named: "Thing"))
        #expect(Self.names(kinds) == ["home.lat": "place", "mail": "mailAddress"])
        #expect(kinds.problems.isEmpty)
    }

    @Test("every kind has a name and a summary of its own, and reads and refuses without a trap whatever is stored")
    func everyKindTakesEveryValue() {
        #expect(Set(KindRegistry.all.map(\.name)).count == KindRegistry.all.count)
        var generator = SeededRandom(seed: TestSeed.first)
        let texts =
            [
                "", " ", "\u{0}", "💶", "+", "#", "-", "P", "PT", ":", "1:", "{", "[", "geo:", "@", "a@", "https:",
                String(repeating: "9", count: 400),
            ]
            + (0..<200).map { _ in
                String(
                    (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                        "0123456789:.,-+#PTHMSdhm@ {}[]\"geo".randomElement(using: &generator) ?? "x"
                    })
            }
        let numbers: [Double] = [
            0, -0.0, .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, 90, 180, 1e18,
        ]
        let values: [Any] =
            texts + numbers.map { NSNumber(value: $0) } + [
                NSDecimalNumber.notANumber, NSNumber(value: Int64.min), Data([1, 2]), Date(),
            ]
        for kind in KindRegistry.all {
            for value in values {
                let use = KindUse(
                    kind: kind.name, key: "value", origin: .model,
                    others: kind.name == "place" && !(value is String) ? ["longitude": "other"] : [:])
                let reading = kind.reading(KindValues(["value": value, "other": value]), use)
                #expect(
                    reading.link.map {
                        ["https", "http", "mailto", "tel", "geo"].contains($0.split(separator: ":")[0].lowercased())
                    } ?? true)
            }
            for text in texts {
                for type in [
                    NSAttributeType.stringAttributeType, .integer16AttributeType, .doubleAttributeType,
                    .decimalAttributeType,
                ] {
                    let use = KindUse(kind: kind.name, key: "value", origin: .model)
                    _ = try? kind.value(of: text, for: KindTexts.attribute("value", type), use)
                }
            }
        }
    }
}
