/// The first bytes of the adapter's own keys in the side table; the engine's keys begin with lower-case letters.
enum AdapterKey {
    /// The identity of the object in a row, by root entity and key.
    static let identity = UInt8(ascii: "A")
    /// The row of an object, by identity.
    static let row = UInt8(ascii: "I")
    /// The last transaction of the history that was captured.
    static let captured = [UInt8(ascii: "H")]
    /// What is known of an item of the transport, by name.
    static let item = UInt8(ascii: "F")
    /// A chunk that is to be written to the transport, by digest.
    static let upload = UInt8(ascii: "U")
    /// An item of a chunk that was damaged, by name.
    static let damagedChunk = UInt8(ascii: "D")
    /// The last greeting of a peer, by identity.
    static let greeting = UInt8(ascii: "G")
    /// The numbers of the attributes that the model has by which the state shows objects.
    static let attributes = [UInt8(ascii: "M")]
    /// The part of what the peers share that the store keeps, as JSON.
    static let part = [UInt8(ascii: "P")]
    /// Whether the store only receives.
    static let reader = [UInt8(ascii: "R")]
    /// Which large values come on demand, as text.
    static let largeValues = [UInt8(ascii: "L")]
    /// What a reader saved and was taken back, as JSON.
    static let refusedWrites = [UInt8(ascii: "W")]
    /// The last error.
    static let failure = [UInt8(ascii: "E")]
    /// The address of the transport.
    static let transport = [UInt8(ascii: "T")]
    /// The name that a person gave the store.
    static let name = [UInt8(ascii: "N")]
}
