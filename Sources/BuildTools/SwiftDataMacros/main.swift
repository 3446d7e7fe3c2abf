@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

// The compiler starts this program and asks it, over standard input and output, to expand the macros of `SwiftData`.
try CompilerPluginMessageListener(connection: StandardIOMessageConnection(), provider: ModelMacros()).main()
