import CSwiftRuntime
import CoreDataModeling

/// Assigns numbers to the texts, stacks and models that the events of one recording refer to, and collects the new ones
/// until they are written.
struct TraceTables {
    private var texts: [String: UInt32] = [:]
    private var recentTexts = TextPlaces()
    private var stacks: [UInt64: UInt32] = [:]
    private var lastModel: (model: NSManagedObjectModel, number: UInt16)?
    private var models: [ObjectIdentifier: (number: UInt16, model: NSManagedObjectModel)] = [:]
    private var newTexts: [UInt8] = []
    private var newStacks: [UInt8] = []
    private var newModels: [NSManagedObjectModel] = []

    /// A program that always creates new texts, such as predicates, would fill the memory; texts beyond this get no
    /// number.
    private static let mostTexts = 200_000
    private static let mostStacks = 200_000
    private static let deepestStack = 48
    /// The length in bytes to which a text is cut, so that a block can contain many texts.
    private static let longestText = 16 << 10

    mutating func number(of text: String) -> UInt32 {
        guard !text.isEmpty else { return 0 }
        let recent = recentTexts.number(of: text)
        guard recent == 0 else { return recent }
        let number = numberByContent(of: text)
        if number != 0 { recentTexts.note(text, number) }
        return number
    }

    private mutating func numberByContent(of text: String) -> UInt32 {
        if let known = texts[text] { return known }
        guard texts.count < Self.mostTexts else { return 0 }
        let number = UInt32(texts.count + 1)
        texts[text] = number
        let bytes = text.utf8.prefix(Self.longestText)
        newTexts.append(number: UInt32(bytes.count))
        newTexts.append(contentsOf: bytes)
        return number
    }

    /// The number of the calling thread's stack; 0 if there is none or if there are too many.
    mutating func numberOfStack() -> UInt32 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.deepestStack) { buffer in
            guard let addresses = buffer.baseAddress else { return 0 }
            let count = Int(coredata_return_addresses(addresses, Int32(Self.deepestStack)))
            var mark: UInt64 = 0xCBF2_9CE4_8422_2325
            for index in 0..<count { mark = (mark ^ addresses[index]) &* 0x100_0000_01B3 }
            if let known = stacks[mark] { return known }
            guard count > 0, stacks.count < Self.mostStacks else { return 0 }
            let number = UInt32(stacks.count + 1)
            stacks[mark] = number
            newStacks.append(number: UInt32(count))
            for index in 0..<count { newStacks.append(number: addresses[index]) }
            return number
        }
    }

    mutating func number(of model: NSManagedObjectModel?) -> UInt16 {
        guard let model else { return 0 }
        if let lastModel, lastModel.model === model { return lastModel.number }
        let number = numberByIdentity(of: model)
        if number != 0 { lastModel = (model, number) }
        return number
    }

    private mutating func numberByIdentity(of model: NSManagedObjectModel) -> UInt16 {
        if let known = models[ObjectIdentifier(model)] { return known.number }
        guard models.count < Int(UInt16.max) else { return 0 }
        let number = UInt16(models.count + 1)
        // The table retains the model, so that no other model gets the same address.
        models[ObjectIdentifier(model)] = (number, model)
        newModels.append(model)
        return number
    }

    /// Returns the blocks and models that are new since the last call.
    mutating func takeBlocks() -> (bytes: [UInt8], models: [NSManagedObjectModel]) {
        var bytes: [UInt8] = []
        if !newTexts.isEmpty { bytes += TraceFormat.block(.texts, newTexts) }
        if !newStacks.isEmpty { bytes += TraceFormat.block(.stacks, newStacks) }
        let models = newModels
        (newTexts, newStacks, newModels) = ([], [], [])
        return (bytes, models)
    }

    /// The number of bytes that wait to be written.
    var waitingSize: Int { newTexts.count + newStacks.count }
}
