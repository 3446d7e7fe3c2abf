import CoreData
import StoreContract
import TestBasics
import Testing
import WriteScenarios

/// `-com.apple.CoreData.ConcurrencyDebug 1`, each time in a process of its own.
@Suite(.timeLimit(.minutes(20))) struct MisuseTests {
    /// Asks for the detection; only before the first context of the process.
    private static func detect() { setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1) }

    @Test(
        "a use off the queue stops the process and says what, of whom and from where (CTX-30, HAZ-57)",
        arguments: Misuse.allCases)
    func misuseStops(misuse: Misuse) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
            Self.detect()
            let stack = try HeroModel.stack(.inMemory)
            let context = stack.context
            context.name = "import"
            let hero = try misuse.prepare(context)
            try DispatchQueue(label: "elsewhere").sync { try misuse.commit(context, hero.value) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Illegal use off its queue: \(misuse.named)"), "\(text.prefix(600))")
        #expect(text.contains("in queue 'elsewhere', in context 'import' (0x"))
        #expect(text.contains("whose queue is 'CoreData.context'"))
        #expect(text.contains("Used here by:\n    ") && text.contains("Made on "))
        #expect(text.contains("Last used on its queue ("))
        #expect(!text.contains("Unmentionable"))
    }

    @Test("without being asked nothing is detected, and the same uses give no message (CTX-30)")
    func nothingIsDetectedUnasked() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for misuse in Misuse.allCases {
                let stack = try HeroModel.stack(.inMemory)
                try misuse.commit(stack.context, misuse.prepare(stack.context).value)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!text.contains("Illegal use"))
    }

    @Test("what keeps to the queues is not stopped, whichever way it came there (CTX-30)")
    func properUseGoesOn() async {
        await #expect(processExitsWith: .success) {
            Self.detect()
            for misuse in Misuse.allCases {
                let stack = try HeroModel.stack(.inMemory)
                let (context, other, main) = (stack.context, stack.newContext(), stack.context(.mainQueue))
                context.undoManager = UndoManager()
                let hero = try misuse.prepare(context)
                try context.performAndWait { try misuse.commit(context, hero.value) }
                let second = try misuse.prepare(other)
                try other.performAndWait {
                    try context.performAndWait { try misuse.commit(other, second.value) }
                }
                let third = try misuse.prepare(main)
                try await main.perform { try misuse.commit(main, third.value) }
                try await Task { @MainActor in try misuse.commit(main, misuse.prepare(main).value) }.value
            }
        }
    }

    @Test("identifiers, the object's context and perform are anybody's (CTX-30)")
    func whatIsFree() async {
        await #expect(processExitsWith: .success) {
            Self.detect()
            let stack = try HeroModel.stack(.inMemory)
            let hero = try Misuse.reading.prepare(stack.context)
            let identifier = hero.value.objectID
            guard hero.value.managedObjectContext === stack.context, hero.value.entity.name == "Hero",
                identifier == stack.context.performAndWait({ hero.value.objectID }), hero.value == hero.value,
                Set([hero.value]).contains(hero.value), stack.context.name == nil
            else { exit(3) }
        }
    }

    enum Passage: String, CaseIterable, Codable, Sendable {
        case intoABlock, intoAnotherContext, outOfABlock, ontoTheMainActor

        func go(_ stack: Stack) async {
            let (context, other, main) = (stack.context, stack.newContext(), stack.context(.mainQueue))
            let hero = await context.perform { Hero(context: context) }
            switch self {
            case .intoABlock: await stack.coordinator.perform { hero.strength = 1 }
            case .intoAnotherContext: await other.perform { _ = hero.strength }
            case .outOfABlock: _ = hero.strength
            case .ontoTheMainActor: await main.perform { _ = hero.strength }
            }
        }
    }

    @Test(
        "what the compiler lets in and out of blocks stops the process when it is used (CTX-30)",
        arguments: Passage.allCases)
    func passedObjects(passage: Passage) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [passage] in
            Self.detect()
            try await passage.go(HeroModel.stack(.inMemory))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'strength' of an object of entity 'Hero'"), "\(text.prefix(600))")
    }

    @Test("the main queue's context is not for other threads (CTX-30)")
    func mainContextElsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.detect()
            let stack = try HeroModel.stack(.inMemory)
            let context = stack.context(.mainQueue)
            let hero = try Misuse.reading.prepare(context)
            await withCheckedContinuation { next in
                Thread.detachNewThread {
                    _ = hero.value.strength
                    next.resume()
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("whose queue is 'com.apple.main-thread'"), "\(text.prefix(600))")
    }

    @Test("the argument of the command line asks for it as on Apple's platforms (CTX-30)", arguments: [true, false])
    func argumentOfCommandLineAsksForItAsOnApplesPlatforms(isOn: Bool) throws {
        let child = try Child("misuse", "-com.apple.CoreData.ConcurrencyDebug", isOn ? "1" : "0")
        #expect(child.lines() == (isOn ? [] : ["4711"]))
        #expect((child.status() == 0) == !isOn)
    }
}
