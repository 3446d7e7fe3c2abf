/// The OIDs of types. Source: `pg_type.dat` of PostgreSQL 15; they never change.
package enum PostgresType {
    package static let bytea: UInt32 = 17
    package static let int8: UInt32 = 20
    package static let text: UInt32 = 25
    package static let float8: UInt32 = 701
    package static let varchar: UInt32 = 1043
    package static let numeric: UInt32 = 1700
    package static let byteaArray: UInt32 = 1001
    package static let textArray: UInt32 = 1009
    package static let int8Array: UInt32 = 1016
    package static let float8Array: UInt32 = 1022
    package static let numericArray: UInt32 = 1231
}
