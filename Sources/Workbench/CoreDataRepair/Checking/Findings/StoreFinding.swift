/// A fault that a check found in a store of any type.
package struct StoreFinding: Sendable, Equatable {
    /// The kind of a fault; reports, also those in JSON, print the raw values.
    package enum Kind: String, CaseIterable, Sendable {
        case damagedFile = "damaged-file"
        case indexOutOfStep = "index-out-of-step"
        case foreignLog = "foreign-log"
        case missingLog = "missing-log"
        case badMetadata = "bad-metadata"
        case missingIdentity = "missing-identity"
        case modelMismatch = "model-mismatch"
        case schemaMismatch = "schema-mismatch"
        case keyCounter = "key-counter"
        case unknownEntity = "unknown-entity"
        case unknownProperty = "unknown-property"
        case doubledValue = "doubled-value"
        case badKey = "bad-key"
        case badVersion = "bad-version"
        case danglingReference = "dangling-reference"
        case wrongReference = "wrong-reference"
        case oneSided = "one-sided"
        case danglingLink = "dangling-link"
        case doubledLink = "doubled-link"
        case orderKey = "order-key"
        case wrongType = "wrong-type"
        case outOfRange = "out-of-range"
        case invalidText = "invalid-text"
        case missingValue = "missing-value"
        case brokenRule = "broken-rule"
        case duplicateValues = "duplicate-values"
        case missingFile = "missing-file"
        case unusableFile = "unusable-file"
        case orphanedFile = "orphaned-file"
        case strangeFile = "strange-file"
        case history = "history"
    }

    package let kind: Kind
    package var entity: String?
    /// The entity name and key of the faulty object, such as `Book/p7`; nil for a fault that concerns no single object.
    package var object: String?
    package var property: String?
    /// One sentence that describes the fault and contains no attribute value of the store.
    package let sentence: String
    /// One sentence that says how `StoreRepair` repairs the fault; nil if it does not repair this fault.
    package var remedy: String?

    package init(
        _ kind: Kind, _ sentence: String, entity: String? = nil, object: String? = nil, property: String? = nil,
        remedy: String? = nil
    ) {
        self.kind = kind
        self.entity = entity
        self.object = object
        self.property = property
        self.sentence = sentence
        self.remedy = remedy
    }

    package var isRepairable: Bool { remedy != nil }
}
