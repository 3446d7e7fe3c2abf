// Re-exports the C library, whose module name differs between systems, to all files of the module.
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Android)
    @_exported import Android
#elseif canImport(Darwin)
    @_exported import Darwin
#endif
