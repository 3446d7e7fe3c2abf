/// Something in a store that is not as it should be, whatever kind of store it is.
package struct StoreFinding: Sendable, Equatable {
    /// What kind of fault it is; the raw values are what people and programs read.
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
    /// The object's address in short, `Book/p7`; nil where it is about none.
    package var object: String?
    package var property: String?
    /// What is wrong, in one sentence that holds no value of an attribute.
    package let sentence: String
    /// How it is repaired; nil where that needs a decision of a person.
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
