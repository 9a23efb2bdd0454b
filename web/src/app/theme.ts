import {
  Alert,
  Badge,
  Button,
  Checkbox,
  createTheme,
  Drawer,
  defaultVariantColorsResolver,
  Input,
  InputWrapper,
  type MantineColorsTuple,
  Modal,
  MultiSelect,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Radio,
  Select,
  Textarea,
  TextInput,
  Tooltip,
  type VariantColorsResolver,
} from '@mantine/core';
import classes from './theme.module.css';

const colors: Record<string, MantineColorsTuple> = {
  mar: ['#E6F4F6', '#DCEEF0', '#A3D6DC', '#7FCBD5', '#5CC0CC', '#3AA7B5', '#1F8B99', '#0A6875', '#085761', '#16302F'],
  dark: ['#ECEAE3', '#B7B4A9', '#96938A', '#727066', '#33322D', '#2E2E29', '#242420', '#141412', '#0F0F0E', '#0B0B0B'],
  gray: ['#F5F4EF', '#F1EFE9', '#E6E3DA', '#DBD8CE', '#B9B5AA', '#86837A', '#6A675E', '#504E46', '#33322D', '#1B1A17'],
  green: ['#EDF7EF', '#DFF0E3', '#BFE1C8', '#9DD3AB', '#7CC48F', '#58A971', '#3C8A55', '#22693C', '#1B5230', '#1B2E21'],
  yellow: [
    '#FDF6E6',
    '#FAEBCB',
    '#F3D795',
    '#EEC572',
    '#E9B452',
    '#CF9530',
    '#AB7414',
    '#855100',
    '#5E3B05',
    '#352A13',
  ],
  red: ['#FDF0EE', '#FBE3E0', '#F9BDB7', '#F7A098', '#F4837A', '#DE5B52', '#C93F38', '#B3261E', '#861C16', '#3A1E1B'],
};

const inputClasses = { input: classes.input };
const labelClasses = { label: classes.label, description: classes.help, error: classes.error };
const fieldClasses = { ...inputClasses, ...labelClasses };

/** Filled and quiet controls take the tokens, which know ink on fill and hover in both schemes. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  const color = input.color ?? input.theme.primaryColor;
  if (input.variant === 'filled' && color === 'mar') {
    return { ...resolved, background: 'var(--at-fill)', hover: 'var(--at-fill-h)', color: 'var(--at-on)' };
  }
  if (input.variant === 'filled' && color === 'red') {
    return { ...resolved, background: 'var(--at-bad-fill)', hover: 'var(--at-bad-fill)', color: '#fff' };
  }
  if (input.variant === 'subtle' && color === 'gray') {
    return { ...resolved, background: 'transparent', hover: 'var(--at-s3)', color: 'var(--at-text-2)' };
  }
  return resolved;
};

/** The look as a Mantine theme; what it cannot say lives in `tokens.css` and `theme.module.css`. */
export const theme = createTheme({
  primaryColor: 'mar',
  variantColorResolver,
  primaryShade: { light: 7, dark: 5 },
  autoContrast: true,
  luminanceThreshold: 0.3,
  fontFamily: 'var(--at-font)',
  fontFamilyMonospace: 'var(--at-mono)',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.34', sm: '1.54', md: '1.43', lg: '1.5', xl: '1.4' },
  colors,
  components: {
    Button: Button.extend({ defaultProps: { size: 'sm', variant: 'filled' }, classNames: { root: classes.button } }),
    Input: Input.extend({ defaultProps: { size: 'sm' }, classNames: inputClasses }),
    InputWrapper: InputWrapper.extend({ classNames: labelClasses }),
    // An error that stands beside more than one field, and is no part of any.
    InputError: { classNames: { error: classes.error } },
    TextInput: TextInput.extend({ defaultProps: { size: 'sm' }, classNames: fieldClasses }),
    PasswordInput: PasswordInput.extend({ defaultProps: { size: 'sm' }, classNames: fieldClasses }),
    Textarea: Textarea.extend({ defaultProps: { size: 'sm' }, classNames: fieldClasses }),
    NumberInput: NumberInput.extend({ defaultProps: { size: 'sm' }, classNames: fieldClasses }),
    Select: Select.extend({
      defaultProps: { size: 'sm', maxDropdownHeight: 220 },
      classNames: { ...fieldClasses, dropdown: classes.floating, option: classes.option },
    }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: 'sm' }, classNames: fieldClasses }),
    MultiSelect: MultiSelect.extend({
      defaultProps: { size: 'sm', maxDropdownHeight: 220 },
      classNames: { ...fieldClasses, dropdown: classes.floating, option: classes.option, pill: classes.pill },
    }),
    Checkbox: Checkbox.extend({ classNames: { input: classes.tick, error: classes.error } }),
    Radio: Radio.extend({ classNames: { radio: classes.tick, error: classes.error } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', size: 'sm', radius: 'sm', tt: 'none' } }),
    Alert: Alert.extend({ classNames: { root: classes.alert, title: classes.alertTitle, message: classes.alertText } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400 } }),
    Drawer: Drawer.extend({
      defaultProps: { overlayProps: { blur: 0 } },
      classNames: {
        content: classes.drawer,
        header: classes.drawerHeader,
        title: classes.modalTitle,
      },
    }),
    Modal: Modal.extend({
      defaultProps: { radius: 'lg', overlayProps: { blur: 0 }, centered: true },
      classNames: {
        content: classes.modal,
        header: classes.modalHeader,
        title: classes.modalTitle,
        body: classes.modalBody,
      },
    }),
  },
});
