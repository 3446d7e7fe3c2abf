import Foundation
import Testing

@testable import SwiftData

/// The values of members that older rows lack.
@Suite struct EmptyValueTests {
    enum Plain: Codable { case first, second }
    enum Named: String, Codable {
        case low = "L"
        case high = "H"
    }
    enum Single: Codable { case only }
    /// Bytes of zero are a value of the case with a text, and none of a reference.
    enum Text: Codable, Equatable {
        case text(String)
        case nothing, later
    }
    enum Flag: Codable, Equatable {
        case flag(Bool)
        case both(Bool, Bool)
        case unknown, other
    }
    enum Number: Codable, Equatable {
        case number(Int64)
        case amount(Double)
        case none
    }
    indirect enum Tree: Codable, Equatable {
        case leaf
        case node(Tree, Tree)
    }
    enum Choice<Value: Codable & Equatable>: Codable, Equatable {
        case some(Value)
        case missing
    }
    /// Of an own form, from which no name of a case can be read.
    enum Coded: Codable, Equatable {
        case number(Int)
        case unset

        init(from decoder: any Decoder) throws {
            self = .number(try decoder.singleValueContainer().decode(Int.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(0)
        }
    }
    enum Values: Codable { case number(Int) }

    @Test func firstCasesWithoutValues() {
        #expect(EmptyValue.of(Plain.self) as? Plain == .first)
        #expect(EmptyValue.of(Named.self) as? Named == .low)
        #expect(EmptyValue.of(Single.self) as? Single == .only)
        #expect(EmptyValue.of(Text.self) as? Text == .nothing)
        #expect(EmptyValue.of(Flag.self) as? Flag == .unknown)
        #expect(EmptyValue.of(Number.self) as? Number == Number.none)
        #expect(EmptyValue.of(Coded.self) as? Coded == .unset)
        #expect(EmptyValue.of(Tree.self) as? Tree == .leaf)
        #expect(EmptyValue.of(Choice<String>.self) as? Choice<String> == .missing)
        #expect(EmptyValue.of(Choice<Int64>.self) as? Choice<Int64> == .missing)
    }

    @Test func enumerationOfValuesAloneHasNone() {
        #expect(EmptyValue.of(Values.self) == nil)
    }

    @Test func casesAreWrittenAsTheCompilerWould() {
        #expect(TypeShape.value(ofCase: 2, Text.self) == .later)
        #expect(TypeShape.value(ofCase: 3, Flag.self) == .other)
        #expect(TypeShape.value(ofCase: 0, Int.self) == nil)
        #expect(TypeShape.value(ofCase: 0, Bool?.self) == nil)
    }
}
